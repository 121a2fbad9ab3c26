"""Configuration: environment variables `HYDRAMIND_*`, read once; an unknown name is an error, not a silent default."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import platformdirs
from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from hydramind.errors import Misconfigured

PREFIX = "HYDRAMIND_"
RESERVED = ("HYDRAMIND_TEST_", "HYDRAMIND_DATA", "HYDRAMIND_CACHE")
"""Names that tests, benchmarks and scripts read; the product ignores them."""

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
Port = Annotated[int, Field(ge=0, le=65535)]


def _database(value: str) -> str:
    return "" if value in ("", "default") else value


def _floors(value: object) -> object:
    """`0.81,0.76` as two numbers, the first not below the second; an empty text is none."""
    if value is None or value == "":
        return None
    parts = cast("Iterable[str | float]", value.split(",") if isinstance(value, str) else value)
    try:
        best, each = map(float, parts)
    except (TypeError, ValueError):
        best, each = 0.0, 1.0
    if not 0.0 <= each <= best <= 1.0:
        raise ValueError("expected two cosines from 0 to 1, the first not below the second, such as '0.81,0.76'")
    return best, each


class Settings(BaseSettings):
    """All settings; see README.md for the table.

    `uri` empty means the embedded node under `home`. `database` `default` means the server's own default database.
    """

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid")

    uri: str = ""
    username: str = "neo4j"
    token: SecretStr = SecretStr("")
    password: SecretStr = SecretStr("")
    database: Annotated[str, AfterValidator(_database)] = ""
    engine: Literal["", "arcadedb", "neo4j", "hydradb"] = ""

    home: Path = Field(default_factory=lambda: platformdirs.user_data_path("hydramind", appauthor=False))
    node_heap_mb: Annotated[int, Field(ge=128, le=65_536)] = 512
    node_idle_seconds: Annotated[int, Field(ge=1, le=30 * 86_400)] = 600

    embedder: Literal["auto", "offline", "onnx", "openai", "tei", "none"] = "auto"
    embedder_path: Annotated[str, Field(max_length=4_096)] = ""
    embedder_model: Annotated[str, Field(max_length=1_000)] = ""
    embedder_url: Annotated[str, Field(max_length=1_000)] = ""
    embedder_key: SecretStr = SecretStr("")
    embedder_dimension: Annotated[int, Field(ge=0, le=65_536)] = 0
    embedder_query_prefix: Annotated[str, Field(max_length=500)] = ""
    embedder_passage_prefix: Annotated[str, Field(max_length=500)] = ""
    embedder_budget: Annotated[int, Field(ge=0)] = 0
    embedder_floors: Annotated[tuple[float, float] | None, BeforeValidator(_floors)] = None
    reranker_url: Annotated[str, Field(max_length=1_000)] = ""
    reranker_key: SecretStr = SecretStr("")
    reranker_model: Annotated[str, Field(max_length=1_000)] = ""

    source: Annotated[str, Field(max_length=200)] = "mcp"
    max_inflight_writes: Annotated[int, Field(ge=1, le=64)] = 8
    max_open_scopes: Annotated[int, Field(ge=1, le=10_000)] = 64

    host: str = "127.0.0.1"
    http_token: SecretStr = SecretStr("")
    mcp_host: str = "127.0.0.1"
    mcp_port: Port = 8788
    mcp_max_body_bytes: Annotated[int, Field(ge=1_024, le=4 * 1_024 * 1_024)] = 1_048_576
    mcp_structured: bool = False
    ui_host: str = "127.0.0.1"
    ui_port: Port = 8787
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "WARNING"

    @property
    def embedded(self) -> bool:
        """Whether the graph is the embedded node."""
        return not self.uri

    @property
    def secret(self) -> str:
        """The database secret: token first, password as the fallback."""
        return self.token.get_secret_value().strip() or self.password.get_secret_value().strip()


def load(environ: Mapping[str, str] | None = None, **overrides: Any) -> Settings:
    """Settings from the environment; raises `Misconfigured` naming the variable and what it expects."""
    names = os.environ if environ is None else environ
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    for name in names:
        upper = name.upper()
        if upper.startswith(PREFIX) and upper not in known and not upper.startswith(RESERVED):
            raise Misconfigured(f"unknown setting {name}; known are {', '.join(sorted(known))}")
    values = {key[len(PREFIX) :].lower(): value for key, value in names.items() if key.upper() in known}
    try:
        settings = Settings(_env_prefix="HYDRAMIND_UNUSED_", **{**values, **overrides})  # pyright: ignore[reportCallIssue]
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = "_".join(str(part) for part in first["loc"]).upper()
        raise Misconfigured(f"{PREFIX}{field}: {first['msg']}") from None
    _require_secret(settings)
    return settings


def _require_secret(settings: Settings) -> None:
    if settings.uri and "://" not in settings.uri:
        raise Misconfigured(f"{PREFIX}URI: expected a Bolt URI such as 'neo4j://127.0.0.1:7687'")
    if "@" in settings.uri:
        raise Misconfigured(f"{PREFIX}URI must not hold credentials: put them in {PREFIX}USERNAME and {PREFIX}TOKEN")
    if settings.uri and not settings.secret:
        raise Misconfigured(f"{PREFIX}URI is set, so {PREFIX}TOKEN (or {PREFIX}PASSWORD) must be set too")
