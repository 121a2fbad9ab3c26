/** Line icons on a 20 px grid. */

const PATHS = {
  home: "M3 9.5 10 4l7 5.5V16H12v-4H8v4H3Z",
  ask: "M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12Zm4.5-1.5L17 17",
  remember: "M10 4v12M4 10h12",
  entities: "M7 8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM2.5 16c0-3 2-4.8 4.5-4.8S11.5 13 11.5 16M13 8.5a2 2 0 1 0 0-4M14 11.4c2 .3 3.5 2 3.5 4.6",
  graph: "M5 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm10 3a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM8 17.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7 5l6 2M5.7 6.4 7.5 13.6M13.6 9 9.3 14",
  health: "M2.5 10.5h3.5l2-5 3.5 9 2-4h4",
  scope: "M10 3.5 17 7l-7 3.5L3 7Zm-7 6.7 7 3.5 7-3.5M3 13.3l7 3.5 7-3.5",
  light: "M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1",
  dark: "M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5Z",
  help: "M7.5 7.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1 1-1.1 1.8M10 14.6v.1",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" width="26" height="26" aria-hidden="true" focusable="false">
      <path d="M16 27V17M16 17C16 11 7 13 7 7M16 17V7M16 17c0-6 9-4 9-10" />
      <circle cx="7" cy="6" r="3" />
      <circle className="mark-low" cx="16" cy="6" r="3" />
      <circle cx="25" cy="6" r="3" />
      <circle cx="16" cy="27" r="3" />
    </svg>
  );
}
