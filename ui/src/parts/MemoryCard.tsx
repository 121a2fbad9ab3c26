/** A memory in a list: its text first, then how much it is believed, its status, what it is about and since when. */

import type { ReactNode } from "react";
import type { MemoryView } from "../api/types";
import { Link } from "../router";
import { to } from "../routes";
import { moment } from "./format";
import { EntityChip, Premise, Slot, Status } from "./Marks";
import { Text } from "./Text";
import { Trust } from "./Trust";

interface CardProps {
  readonly memory: MemoryView;
  readonly before?: number;
  readonly children?: ReactNode;
  readonly chosen?: boolean;
}

export function MemoryCard({ memory, before, children, chosen = false }: CardProps) {
  return (
    <article className="card" data-status={memory.status} data-chosen={chosen || undefined}>
      <Text text={memory.content} />
      <div className="card-line">
        <Trust trust={memory.trust} {...(before === undefined ? {} : { before })} />
        <Status status={memory.status} />
        {memory.premise_superseded && <Premise />}
        {memory.slot !== "" && <Slot name={memory.slot} />}
        {memory.entities.map((entity) => (
          <EntityChip key={entity.id} scope={memory.scope} name={entity.name} />
        ))}
        <Link className="card-link" to={to.memory(memory.scope, memory.id)}>
          <span className="unseen">Open the memory of </span>
          <time dateTime={memory.created_at}>{moment(memory.created_at)}</time>
        </Link>
      </div>
      {children}
    </article>
  );
}
