"""Plain statements over projects, teams, preferences and operations, by what a careful person says of each pair."""

from __future__ import annotations

import pytest

from hydramind.mind.conflict import Claim, Kind, detect

CONTRADICTING = [
    ("No one owns the ticket queue", "Ravi owns the ticket queue"),
    ("Port 8080 is open", "Port 8080 is closed"),
    ("Project Atlas is approved", "Project Atlas was rejected"),
    ("The cache is Redis", "The cache is Memcached"),
    ("Alice is the team lead", "Bob is the team lead"),
    ("Nobody has access to prod", "Alice has access to prod"),
    ("Nobody uses Redis", "Redis is used by the app"),
    ("Nobody uses X", "X is used by the app"),
    ("Deploys run on Mondays", "Deploys run on Tuesdays"),
    ("The backup runs at 02:00", "The backup runs at 04:00"),
    ("Port 5432 is exposed", "Port 5432 is not exposed"),
    ("Pull request 88 was merged", "Pull request 88 was rejected"),
    ("The message broker is RabbitMQ", "The message broker is Kafka"),
    ("Priya is the product owner", "Jonas is the product owner"),
    ("Our cloud provider is AWS", "Our cloud provider is Azure"),
    ("Nobody has the root password", "Marta has the root password"),
    ("Nobody maintains the exporter", "Priya maintains the exporter"),
    ("Retros are held on Thursdays", "Retros are held on Wednesdays"),
    ("The cron job runs at 5am", "The cron job runs at 7am"),
    ("The session timeout is 15 minutes", "The session timeout is 1 hour"),
    ("The API gateway is Kong", "The API gateway is Traefik"),
    ("The user wants type hints in all code", "The user does not want type hints in code"),
    ("The contract with Vexcorp is signed", "The contract with Vexcorp is unsigned"),
    ("The Heron budget is approved", "The Heron budget was rejected"),
    ("The audit log is retained for 1 year", "The audit log is retained for 90 days"),
    ("The mobile app works offline", "The mobile app does not work offline"),
    ("Everyone has access to staging", "Nobody has access to staging"),
    ("Ines approved the design", "Ines rejected the design"),
    ("The import script is idempotent", "The import script is not idempotent"),
    ("Issue 412 is open", "Issue 412 is closed"),
    ("Server web-3 is healthy", "Server web-3 is unhealthy"),
    ("The package manager is pnpm", "The package manager is yarn"),
    ("The on-call engineer is Ines", "The on-call engineer is Jonas"),
    ("The identity provider is Okta", "The identity provider is Auth0"),
]
"""The two cannot both hold."""

COMPATIBLE = [
    ("Alice is a team lead", "Bob is a team lead"),
    ("John: No,", "John: I like tea"),
    ("John: No,", "The cache is enabled"),
    ("No,", "John uses Redis"),
    ("Priya is a backend engineer", "Jonas is a backend engineer"),
    ("Project Heron is approved", "Project Egret was rejected"),
    ("The cache is Redis", "The cache is fast"),
    ("The broker is RabbitMQ", "The broker is self-hosted"),
    ("Marta lives in Lyon", "Marta works in Geneva"),
    ("Nobody has access to the prod database", "Priya has access to the staging database"),
    ("Deploys run on Mondays", "Backups run on Tuesdays"),
    ("The full backup runs at 02:00", "The incremental backup runs at 04:00"),
    ("Jonas has a laptop with 16 GB of memory", "Jonas has a desktop with 64 GB of memory"),
    ("The read replica is in Dublin", "The write primary is in Frankfurt"),
    ("Alice said: No,", "Alice has access to the wiki"),
    ("John: No,", "John: We use Redis for sessions"),
    ("The bug is in the parser", "The bug is in the tokenizer"),
    ("The user prefers short answers", "The user prefers answers in French"),
    ("Alice is responsible for billing", "Alice is responsible for invoicing"),
    ("The tests run in parallel", "The tests run on every push"),
    ("No one is on call this weekend", "Priya is on call next week"),
    ("The first deploy failed", "The second deploy succeeded"),
    ("Priya is the owner of the parser", "Priya is the reviewer of the lexer"),
    ("In 2023 the team had 4 developers", "In 2025 the team has 9 developers"),
    ("Production requires a VPN", "Staging does not require a VPN"),
    ("The result is a list", "The result is sorted"),
    ("The next step is testing", "The next step is urgent"),
    ("The standup is at 9:30", "The retro is at 16:00"),
    ("Version 3 of the SDK is deprecated", "Version 4 of the SDK is stable"),
    ("The dog is a beagle named Max", "The cat is named Luna"),
    ("The key is Q", "The key is rotated weekly"),
    ("This is Redis", "This is Postgres"),
    ("The winner is great", "The winner is Ana"),
]
"""Look-alikes that can both hold."""

SUPERSEDING = [
    ("The plan is called Basic", "The plan was renamed to Starter"),
    ("The pool size is 10", "The pool size was raised to 25"),
    ("Alice lives in Paris", "Alice moved to Berlin"),
    ("Marta lives in Lyon", "Marta moved to Nantes"),
    ("The message broker is RabbitMQ", "The message broker is now Kafka"),
    ("Priya is the tech lead", "Jonas is now the tech lead"),
    ("The API is at version 2", "The API was upgraded to version 3"),
    ("Marta is on the platform team", "Marta is no longer on the platform team"),
    ("The staging cluster has 3 nodes", "The staging cluster now has 6 nodes"),
]
"""The draft reports a change of what is stored."""

SAME = [
    ("The default timeout is 30s", "The default timeout is 30 seconds"),
    ("The request timeout is 45s", "The request timeout is 45 seconds"),
    ("The retention period is 7 days", "The retention period is 1 week"),
    ("Max upload size is 5 MB.", "max upload size is 5MB"),
    ("The review is on 4 March", "The review is on March 4"),
]
"""Two spellings of one statement."""

DOUBTFUL = [
    ("Alice works at Acme", "Alice works at Globex"),
    ("CI uses GitHub Actions", "CI uses Jenkins"),
    ("CI uses CircleCI", "CI uses Buildkite"),
    ("Priya works at Initech", "Priya works at Hooli"),
    ("Maybe the port is 4000", "The port is 5000"),
    ("Deploys usually run on Fridays", "Deploys run on Mondays"),
    ("The backend uses Django", "The backend uses FastAPI"),
]
"""Rivals as a rule, but not surely."""

UNDECIDED = [
    ("The gateway exposes port 80", "The gateway exposes port 443"),
    ("The app is Slack", "The app is Notion"),
    ("The pool size is 10", "The pool size was raised by 25"),
    ("James: I love hearing the crunch", "James: Never heard of it"),
    ("No one but Ravi can deploy", "Ravi can deploy"),
    ("We deploy every Tuesday", "We deploy every Thursday"),
    ("The staging server runs Ubuntu 22.04", "The staging server runs Ubuntu 24.04"),
    ("The root cause was a memory leak", "The root cause was a full disk"),
    ("The demo went well", "The demo went badly"),
    ("The team uses Slack", "The team uses Zoom"),
    ("The repo uses yarn", "The repo switched to pnpm"),
    ("The logger writes to stdout", "The logger writes to a file"),
    ("Sam runs on Mondays", "Sam runs on Tuesdays"),
    ("The problem is DNS", "The problem is Redis"),
    ("The linter is ruff", "The linter is flake8"),
    ("Nobody has access to prod", "The backup job has access to prod"),
    ("Nobody has access to the database", "Priya has access to the staging database"),
    ("We run the job mostly on Mondays", "We do not run the job on Mondays"),
    ("Ana: I have read the plan", "Ana: I have not read them"),
    ("The app runs on Kafka", "The app switched to Pulsar"),
]
"""Rules do not settle these: they may be missed or doubted, but are no contradiction."""

APART = [
    ("Nobody else has access to prod", "Alice has access to prod"),
    ("Alice lives in Paris", "Alice moved to the platform team"),
    ("Alice lives in Paris", "Alice moved to Berlin in 2015"),
    ("Alice lives in Paris", "Alice left Acme"),
    ("Alice lives in Paris", "Alice did not move to Berlin"),
    ("Alice was in Paris", "Alice left Paris"),
    ("The app runs in Frankfurt", "The app moved to staging"),
    ("The app depends on Kafka", "The app switched to Pulsar"),
    ("The app uses Kafka", "The web app switched to Pulsar"),
    ("The studio is French", "The studio is Victorian"),
    ("The API is HTTP", "The API is JSON"),
    ("The office is in Berlin", "The office is Acme House"),
    ("The backup runs at 02:00 and 14:00", "The backup runs at 02:00"),
    ("The backup ran at 02:00", "The backup ran at 04:00"),
    ("John: No", "John is tired"),
    ("John: No, I use Vim", "John: I use Vim"),
    ("John: No, I didn't", "John: You got this"),
    ("Mary Ann: No", "Mary Ann is happy"),
    ("The budget was rejected in March", "The budget was approved in May"),
    ("The job executed at 02:00", "The job executed at 04:00"),
    ("Dinner is at 12am", "Dinner is at 0:00"),
    ("Access is kept for 1 month", "Access is kept for 30 days"),
    ("The standup is at 9:30:15", "The standup is at 9:30:45"),
]
"""Both can hold, or the two speak of different things."""

OTHER = [
    ("The link is 5 Mb fast", "The link is 5 MB fast"),
    ("The offset is 007 s", "The offset is 7 s"),
    ("The growth is +5 %", "The growth is 5 %"),
    ("The call is at 12am", "The call is at 12pm"),
    ("The size is 1000000000001 bytes", "The size is 1000000000002 bytes"),
    ("The limit is 30 dollars", "The limit is 30 euros"),
    ("The team has 5 engineers", "The team has 5 designers"),
    ("The call is at 9:30z", "The call is at 9:30"),
]
"""Amounts that are no spellings of each other, or may be none."""


def kind_of(stored: str, draft: str) -> Kind:
    """The kind for a draft against one stored statement, without times."""
    return detect(Claim(draft), Claim(stored)).kind


@pytest.mark.parametrize(("stored", "draft"), CONTRADICTING)
def test_plain_statements_that_exclude_each_other_contradict(stored: str, draft: str) -> None:
    """Two fillers of one slot, opposites of one subject, or nobody against somebody, whichever came first."""
    assert (kind_of(stored, draft), kind_of(draft, stored)) == (Kind.CONTRADICTS, Kind.CONTRADICTS)


@pytest.mark.parametrize(("stored", "draft"), COMPATIBLE)
def test_plain_look_alikes_stay_quiet(stored: str, draft: str) -> None:
    """Other subjects, other slots and slots of several values raise not even a doubt."""
    assert {kind_of(stored, draft), kind_of(draft, stored)} <= {Kind.NONE, Kind.REFINES}


@pytest.mark.parametrize(("stored", "draft"), SUPERSEDING)
def test_a_plain_report_of_change_supersedes(stored: str, draft: str) -> None:
    """A move, a departure or a `now` retires what it replaces, and only in that order."""
    assert kind_of(stored, draft) is Kind.SUPERSEDES
    assert kind_of(draft, stored) is Kind.UNCERTAIN


@pytest.mark.parametrize(("stored", "draft"), SAME)
def test_one_amount_in_two_spellings_is_a_duplicate(stored: str, draft: str) -> None:
    """Units and dates are compared by what they mean."""
    assert (kind_of(stored, draft), kind_of(draft, stored)) == (Kind.DUPLICATE, Kind.DUPLICATE)


@pytest.mark.parametrize(("stored", "draft"), DOUBTFUL)
def test_likely_rivals_are_worth_a_hint(stored: str, draft: str) -> None:
    """Verbs that take several things, hedges and hearsay leave a doubt and nothing more."""
    assert (kind_of(stored, draft), kind_of(draft, stored)) == (Kind.UNCERTAIN, Kind.UNCERTAIN)


@pytest.mark.parametrize(("stored", "draft"), [*UNDECIDED, *APART])
def test_what_rules_cannot_settle_costs_no_trust(stored: str, draft: str) -> None:
    """Neither a contradiction nor a change is reported without ground."""
    assert {kind_of(stored, draft), kind_of(draft, stored)}.isdisjoint({Kind.CONTRADICTS, Kind.SUPERSEDES})


@pytest.mark.parametrize(("stored", "draft"), OTHER)
def test_another_amount_is_no_duplicate(stored: str, draft: str) -> None:
    """A unit in another case, a leading zero, a sign or a later digit is another statement."""
    assert Kind.DUPLICATE not in {kind_of(stored, draft), kind_of(draft, stored)}
