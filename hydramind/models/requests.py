"""The arguments of each verb, validated once for every face."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from hydramind.errors import Invalid
from hydramind.ids import parse_id
from hydramind.models.fields import (
    MAX_REFS,
    AsOf,
    BudgetTokens,
    Confidence,
    Content,
    Days,
    EntityName,
    EntityNames,
    EvidenceId,
    FactType,
    GateName,
    Hops,
    Key,
    KindName,
    Limit,
    MemoryId,
    MemoryIds,
    Mode,
    Moment,
    OtherId,
    Paths,
    Query,
    Reason,
    RelationName,
    ScopeName,
    SessionName,
    SlotName,
    SourceName,
    TimelineLimit,
    ValidFrom,
    ValidUntil,
    Weight,
    Withdraw,
    as_list,
    as_text,
    null_is,
)


class Request(BaseModel):
    """A verb's arguments. `Model.parse({...})` raises `Invalid` with the field and what was expected."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def parse(cls, values: dict[str, Any]) -> Self:
        """Validate `values`; raises `Invalid` naming the first bad field."""
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise _invalid(cls, error) from None


def _invalid(model: type[BaseModel], error: ValidationError) -> Invalid:
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"]) or "arguments"
    if first["type"] == "missing":
        return Invalid(field, "is required")
    if first["type"] == "extra_forbidden":
        return Invalid(field, f"is not an argument here; known are {', '.join(sorted(model.model_fields))}")
    return Invalid(field, first["msg"].removeprefix("Value error, "))


class Remember(Request):
    """One statement to keep."""

    content: Content
    scope: ScopeName
    entity_refs: EntityNames = ()
    derived_from: MemoryIds = ()
    idempotency_key: Key = ""
    event_time: Moment = None
    source: SourceName = ""
    kind: KindName = "fact"
    session: SessionName = ""
    evidence_id: EvidenceId = ""
    confidence: Confidence = 1.0
    fact_type: FactType = ""
    valid_from: ValidFrom = None
    valid_until: ValidUntil = None
    slot: SlotName = ""

    @field_validator("slot")
    @classmethod
    def _of_a_fact(cls, slot: str, told: ValidationInfo) -> str:
        if slot and told.data.get("kind", "fact") != "fact":
            raise ValueError(f"only a fact fills a slot, a {told.data['kind']} is kept as it was said: leave it out")
        return slot

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        start = self.valid_from or self.event_time
        if self.valid_until is not None and start is not None and self.valid_until <= start:
            raise ValueError("valid_until must be after valid_from, or after event_time where that is not given")
        return self


class Recall(Request):
    """A question to one scope."""

    query: Query
    scope: ScopeName
    entity_refs: EntityNames = ()
    limit: Limit = 10
    mode: Mode = "hybrid"
    gate: GateName = "auto"
    as_of: AsOf = None
    budget_tokens: BudgetTokens = 0


class Revise(Request):
    """A new version of an active memory; `entity_refs` None inherits the old links."""

    memory_id: MemoryId
    content: Content
    scope: ScopeName
    reason: Reason = ""
    entity_refs: Annotated[
        tuple[EntityName, ...] | None,
        Field(description="Replacement entity names; leave out to inherit.", max_length=MAX_REFS),
        BeforeValidator(lambda value: value if value is None else as_list(value)),
    ] = None


class Relate(Request):
    """A relation between two memories to declare, or to withdraw."""

    memory_id: MemoryId
    other_id: OtherId
    scope: ScopeName
    relation: RelationName = "related_to"
    weight: Weight = 1.0
    reason: Reason = ""
    withdraw: Withdraw = False

    @field_validator("other_id")
    @classmethod
    def _another(cls, other: str, told: ValidationInfo) -> str:
        if "memory_id" in told.data and told.data["memory_id"] == other:
            raise ValueError("must be another memory than memory_id")
        return other


class TimelineOf(Request):
    """Every version of what is known about one entity."""

    scope: ScopeName
    entity_ref: EntityName
    limit: TimelineLimit = 20


class TraceFrom(Request):
    """Evidence paths out of one memory; with `target_id` only those that end there."""

    memory_id: MemoryId
    scope: ScopeName
    max_hops: Hops = 2
    max_paths: Paths = 20
    target_id: Annotated[
        str,
        Field(description="Show only the paths that lead to this memory; leave out to show all."),
        BeforeValidator(as_text),
        null_is(""),
    ] = ""

    @field_validator("target_id")
    @classmethod
    def _another(cls, target: str, told: ValidationInfo) -> str:
        target = target.strip()
        if target and parse_id(target) is None:
            raise ValueError(f"must be a decimal memory id as a reply printed it, got {target[:40]!r}")
        if target and target == told.data.get("memory_id"):
            raise ValueError("must be another memory than memory_id")
        return target


class Draft(Request):
    """A statement to compare with what is stored, without storing it."""

    content: Content
    scope: ScopeName
    entity_refs: EntityNames = ()
    event_time: Moment = None
    slot: SlotName = ""


class OneMemory(Request):
    """One memory of one scope."""

    memory_id: MemoryId
    scope: ScopeName


class OneScope(Request):
    """One scope."""

    scope: ScopeName


class SkipDays(Request):
    """How far to move the clock of a demo scope, forward only."""

    scope: ScopeName
    skip_days: Days
