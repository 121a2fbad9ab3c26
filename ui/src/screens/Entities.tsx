/** Everything a scope talks about. */

import { useState } from "react";
import { api } from "../api/client";
import { useLive } from "../live/live";
import { useReply } from "../live/reply";
import { counted } from "../parts/format";
import { Rows } from "../parts/List";
import { Empty, Failed, Loading } from "../parts/States";
import { Link } from "../router";
import { to } from "../routes";

const SHOWN = 300;

export function EntitiesScreen({ scope }: { readonly scope: string }) {
  const live = useLive();
  const [filter, setFilter] = useState("");
  const entities = useReply(`entities ${scope}`, live.version, (signal) => api.entities(scope, signal));
  const wanted = filter.trim().toLowerCase();
  const found = (entities.value ?? []).filter((one) => one.name.toLowerCase().includes(wanted));
  return (
    <>
      <h1>Entities</h1>
      {entities.problem && !entities.value && <Failed problem={entities.problem} what="The entities could not be read" onAgain={entities.again} />}
      {!entities.value && !entities.problem && <Loading what="the entities" />}
      {entities.value?.length === 0 && (
        <Empty title="Nothing is named yet">
          <p>Entities appear when memories name what they are about.</p>
        </Empty>
      )}
      {(entities.value?.length ?? 0) > 8 && (
        <label className="field field-narrow">
          <span>Find by name</span>
          <input type="search" value={filter} onChange={(event) => setFilter(event.target.value)} />
        </label>
      )}
      <Rows label="Entities" className="tiles">
        {found.slice(0, SHOWN).map((one) => (
          <li key={one.id}>
            <Link data-row="" className="tile" to={to.entity(scope, one.name)}>
              <bdi dir="auto">{one.name}</bdi>
              <span className="muted">{counted(one.memories, "memory", "memories")}</span>
            </Link>
          </li>
        ))}
      </Rows>
      {found.length > SHOWN && <p className="muted">{counted(found.length - SHOWN, "more matches", "more match")}; narrow the name.</p>}
    </>
  );
}
