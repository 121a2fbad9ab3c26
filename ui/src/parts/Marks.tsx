/** Small signs that say the same thing everywhere: status, entity, key, number with a name. */

import type { ReactNode } from "react";
import { Link } from "../router";
import { to } from "../routes";


const STATUS_MEANINGS: Readonly<Record<string, string>> = {
  active: "nothing stored contradicts or replaces it",
  contradicted: "something stored contradicts it; it is recalled with less trust",
  superseded: "a newer version replaced it; it is history",
  forgotten: "hidden from recall; its provenance stays",
};

export function Status({ status }: { readonly status: string }) {
  return (
    <span className="status" data-status={status} title={STATUS_MEANINGS[status] ?? status}>
      {status}
    </span>
  );
}

export function EntityChip({ scope, name, memories }: { scope: string; name: string; memories?: number }) {
  return (
    <Link className="chip" to={to.entity(scope, name)}>
      <bdi dir="auto">{name}</bdi>
      {memories !== undefined && <span className="chip-count">{memories}</span>}
    </Link>
  );
}

export function Slot({ name }: { readonly name: string }) {
  return (
    <span className="slot" title="the value that this fact gives; a later fact of the slot replaces it">
      value of <bdi dir="auto">{name}</bdi>
    </span>
  );
}

export function Key({ children }: { readonly children: string }) {
  return <kbd aria-hidden="true">{children}</kbd>;
}

export function Figure({ value, name, source }: { value: ReactNode; name: string; source: string }) {
  return (
    <div className="figure" title={source}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

export function Premise() {
  return (
    <span className="status" data-status="flagged" title="something it was concluded from was replaced; its trust is unchanged">
      a premise was replaced
    </span>
  );
}
