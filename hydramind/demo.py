"""The demo: a small scope, told through the verbs, that shows what the memory is for."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from hydramind.models import DemoSeed, Remember, Revise, SkipDays
from hydramind.service import HydraMind
from hydramind.store.scopes import DEMO_PREFIX

STORY_DAYS: Final = 30
"""How many days the story spans; it ends now."""

QUESTIONS: Final = {
    "answered": "Does the checkout service use Postgres?",
    "abstained": "Who chairs the security review?",
}
"""`answered` finds evidence in the story; to `abstained` it has none, and says so."""


@dataclass(slots=True)
class _Story:
    """The scope as it is told."""

    mind: HydraMind
    scope: str
    cast: dict[str, str] = field(default_factory=dict[str, str])

    async def keep(self, name: str, content: str, about: Sequence[str], rests_on: Sequence[str] = ()) -> None:
        premises = tuple(self.cast[each] for each in rests_on)
        request = Remember(
            content=content, scope=self.scope, entity_refs=tuple(about), derived_from=premises, source="demo"
        )
        self.cast[name] = (await self.mind.remember(request)).memory.id

    async def revise(self, name: str, old: str, content: str, reason: str) -> None:
        request = Revise(memory_id=self.cast[old], content=content, scope=self.scope, reason=reason)
        self.cast[name] = (await self.mind.revise(request)).memory.id

    def wait(self, days: int) -> None:
        self.mind.shift_demo(SkipDays(scope=self.scope, skip_days=days))


async def seed(mind: HydraMind) -> DemoSeed:
    """Tell the story in a fresh scope `demo:<8 hex digits>`."""
    scope = f"{DEMO_PREFIX}{secrets.token_hex(4)}"
    mind.start_demo(scope, STORY_DAYS)
    story = _Story(mind, scope)
    await _tell(story)
    return DemoSeed(scope=scope, cast=story.cast, questions=QUESTIONS)


async def _tell(story: _Story) -> None:
    await story.keep("premise", "The checkout service uses Postgres.", ["checkout service", "Postgres"])
    await story.keep("release", "The release train leaves on Tuesday.", ["release train"])
    story.wait(6)
    await story.keep(
        "conclusion",
        "Nightly checkout backups are taken with pg_dump.",
        ["checkout service", "backups"],
        ["premise"],
    )
    await story.keep("owner", "Mara owns the checkout service.", ["Mara", "checkout service"])
    story.wait(7)
    await story.keep(
        "far_conclusion", "A restore drill takes forty minutes.", ["backups", "restore drill"], ["conclusion"]
    )
    story.wait(8)
    await story.revise("release_revised", "release", "The release train leaves on Thursday.", "QA asked for two days")
    story.wait(9)
    await story.keep("contradiction", "The checkout service does not use Postgres.", ["checkout service", "Postgres"])
