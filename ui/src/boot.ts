/** What the server wrote into the document: its address, whether it asks for a token, and the commands that attach a host. */

export interface Boot {
  readonly version: string;
  readonly url: string;
  readonly guarded: boolean;
  readonly attach: readonly string[];
  readonly hosts: readonly { readonly name: string; readonly title: string }[];
  readonly example: string;
}

const NOTHING: Boot = { version: "", url: "", guarded: false, attach: [], hosts: [], example: "" };

export const BOOT: Boot = read();

function read(): Boot {
  const text = document.querySelector<HTMLMetaElement>('meta[name="hydramind"]')?.content ?? "";
  return text === "" ? NOTHING : (JSON.parse(text) as Boot);
}
