"""Unique, realistic facts with the question that only one of them answers; the same seed gives the same facts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

PEOPLE = (
    "Amara Bjorn Chen Dalia Emeka Farah Goran Hana Ivo Jun Katya Luis Mira Noor Oskar Priya Quentin Rosa Sami Tove "
    "Umar Vera Wen Ximena Yusuf Zofia"
).split()
SERVICES = (
    "checkout billing search catalog identity mailer ledger importer scheduler gateway notifier inventory pricing "
    "reporting sessions thumbnails webhooks payroll"
).split()
PLACES = "Oslo Turin Lyon Porto Gdansk Bergen Malaga Utrecht Leipzig Aarhus Tallinn Graz".split()
CAUSES = (
    "an expired certificate",
    "a full disk",
    "a slow query",
    "a wrong time zone",
    "a lost packet",
    "a stale cache",
    "a leaked connection",
    "a missing index",
    "a broken deploy",
    "an empty queue",
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement, the entities it names, and a question whose every keyword only this statement holds together."""

    content: str
    entities: tuple[str, ...]
    question: str


def facts(seed: int) -> Iterator[Fact]:
    """Facts without end; each has a number of its own, so none repeats, replaces or denies another."""
    rng = random.Random(seed)
    number = 1_000
    while True:
        number += rng.randint(1, 9)
        yield rng.choice((_ticket, _move, _review, _outage))(rng, number)


def _ticket(rng: random.Random, number: int) -> Fact:
    person, service = rng.choice(PEOPLE), rng.choice(SERVICES)
    content = f"{person} closed ticket OPS-{number} in the {service} service after {rng.choice(CAUSES)}"
    return Fact(content, (person, service), f"Who closed ticket OPS-{number} in the {service} service?")


def _move(rng: random.Random, number: int) -> Fact:
    person, service, place = rng.choice(PEOPLE), rng.choice(SERVICES), rng.choice(PLACES)
    content = f"Change {number} moved a replica of {service} to {place} at the request of {person}"
    return Fact(content, (service, place), f"Where did change {number} move the {service} replica?")


def _review(rng: random.Random, number: int) -> Fact:
    person, service = rng.choice(PEOPLE), rng.choice(SERVICES)
    content = f"{person} reviewed pull request {number} of {service} because of {rng.choice(CAUSES)}"
    return Fact(content, (person, service), f"Who reviewed pull request {number} of {service}?")


def _outage(rng: random.Random, number: int) -> Fact:
    service, place = rng.choice(SERVICES), rng.choice(PLACES)
    minutes, cause = rng.randint(2, 90), rng.choice(CAUSES)
    content = f"Incident {number} stopped {service} in {place} for {minutes} minutes because of {cause}"
    return Fact(content, (service, place), f"What did incident {number} stop in {place}?")
