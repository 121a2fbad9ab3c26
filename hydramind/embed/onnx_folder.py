"""What a sentence-transformers ONNX folder says of its model: files, pooling, window and prompts; nothing is guessed."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from hydramind.errors import Misconfigured

_log = logging.getLogger(__name__)

MODELS: Final = ("model.onnx", "onnx/model.onnx")
"""Where a folder keeps the model that is meant when only the folder is named."""

TOKENIZER: Final = "tokenizer.json"
LONGEST_WINDOW: Final = 2_048
"""Tokens read of a text at most, whatever the model can: the work of attention grows with their square."""

_USUAL_WINDOW: Final = 512
_NO_WINDOW: Final = 1_000_000
"""Tokenizers without a limit say a number far beyond this one."""

_POOLINGS: Final[Mapping[str, str]] = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "last",
}
"""The switches of a pooling's config, in the order in which their vectors are joined."""

_ALSO: Final[Mapping[str, str]] = {"lasttoken": "last"}
_KNOWN_POOLINGS: Final = frozenset({"cls", "max", "mean", "last"})
_KNOWN_MODULES: Final = frozenset({"Transformer", "Pooling", "Normalize"})
"""What becomes of tokens in our own code; every vector is brought to length 1, with or without `Normalize`."""

_E5: Final = re.compile(r"(?<![a-z0-9])e5(?![a-z0-9])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the settings say; a prefix of None leaves it to the folder, an empty one means none."""

    path: Path
    name: str = ""
    query_prefix: str | None = None
    passage_prefix: str | None = None


@dataclass(frozen=True, slots=True)
class Folder:
    """A whole folder. `pooling` are cls, max, mean or last, whose vectors are joined in this order; empty where the folder
    says none. `window` is in tokens, special ones included. `unknown` are modules that only the model itself could run."""

    name: str
    model: Path
    tokenizer: Path
    pooling: tuple[str, ...]
    unknown: tuple[str, ...]
    window: int
    query_prefix: str
    passage_prefix: str


def read_folder(wanted: Wanted) -> Folder:
    """The folder of the path, which may name one of its ONNX files; raises `Misconfigured` naming what is missing or wrong."""
    root, model = _found(wanted.path)
    tokenizer = root / TOKENIZER
    if not tokenizer.is_file():
        raise Misconfigured(
            f"the folder {str(root)!r} of HYDRAMIND_EMBEDDER_PATH has no {TOKENIZER!r}: download it too"
        )
    modules = _modules(root)
    pooling, told_by_prompt = _pooling(root / modules.get("Pooling", "1_Pooling"))
    query, passage = _prompts(root)
    folder = Folder(
        name=wanted.name or _name(root, model),
        model=model,
        tokenizer=tokenizer,
        pooling=pooling,
        unknown=tuple(kind for kind in modules if kind not in _KNOWN_MODULES),
        window=min(_window(root, modules.get("Transformer", "")), LONGEST_WINDOW),
        query_prefix=query if wanted.query_prefix is None else wanted.query_prefix,
        passage_prefix=passage if wanted.passage_prefix is None else wanted.passage_prefix,
    )
    if not told_by_prompt and (folder.query_prefix or folder.passage_prefix):
        raise Misconfigured(
            f"the pooling of {str(root)!r} leaves out the prompt, which is not done here: use another model"
        )
    _warn(folder, wanted, _object(root / "config.json"))
    return folder


def _found(path: Path) -> tuple[Path, Path]:
    """The folder that holds the tokenizer, and the model's file."""
    place = path.expanduser()
    if place.is_file():
        above = place.parent.parent
        inner = not (place.parent / TOKENIZER).is_file() and (above / TOKENIZER).is_file()
        return (above if inner else place.parent), place
    if not place.is_dir():
        raise Misconfigured(f"HYDRAMIND_EMBEDDER_PATH: there is no folder {str(path)!r}")
    for name in MODELS:
        if (place / name).is_file():
            return place, place / name
    others = sorted(str(file.relative_to(place)) for file in [*place.glob("*.onnx"), *place.glob("onnx/*.onnx")])
    held = f"; name one of its files instead: {', '.join(map(repr, others))}" if others else ""
    raise Misconfigured(
        f"the folder {str(place)!r} of HYDRAMIND_EMBEDDER_PATH has no {' nor '.join(map(repr, MODELS))}{held}"
    )


def _name(root: Path, model: Path) -> str:
    """The folder's name, or the repository's where a hub's cache keeps it, and that of the file unless it is the usual."""
    home = root.absolute()
    cached = home.parent.name == "snapshots"
    name = home.parent.parent.name.removeprefix("models--").replace("--", "/") if cached else home.name
    return name if model.name == "model.onnx" else f"{name}/{model.stem}"


def _modules(root: Path) -> dict[str, str]:
    """Kind and path of each step after another, by the name of its class; empty where the folder does not list them."""
    listed = _json(root / "modules.json")
    steps = map(_mapping, cast("list[object]", listed) if isinstance(listed, list) else [])
    return {str(step.get("type", "")).rpartition(".")[2]: str(step.get("path", "")) for step in steps}


def _pooling(folder: Path) -> tuple[tuple[str, ...], bool]:
    """What the pooling's config switches on, and whether tokens of the prompt count."""
    said = _object(folder / "config.json")
    named = said.get("pooling_mode")
    if named is None:
        modes = [mode for switch, mode in _POOLINGS.items() if said.get(switch) is True]
    else:
        listed = cast("Sequence[object]", named) if isinstance(named, list) else [named]
        modes = [_ALSO.get(str(mode), str(mode)) for mode in listed]
    unknown = [mode for mode in modes if mode not in _KNOWN_POOLINGS]
    if unknown:
        raise Misconfigured(
            f"{str(folder / 'config.json')!r} asks for the pooling {unknown[0]!r}; known are {', '.join(sorted(_KNOWN_POOLINGS))}"
        )
    return tuple(modes), said.get("include_prompt") is not False


def _window(root: Path, transformer: str) -> int:
    """Tokens that the model reads: what sentence-transformers was told, else the least that tokenizer and model take, else
    where the tokenizer's file cuts."""
    for told in sorted((root / transformer).glob("sentence_*_config.json")):
        if length := _positive(_object(told).get("max_seq_length")):
            return length
    limits = [
        _positive(_object(root / "tokenizer_config.json").get("model_max_length")),
        _positive(_object(root / "config.json").get("max_position_embeddings")),
    ]
    cut = _positive(_mapping(_object(root / TOKENIZER).get("truncation")).get("max_length"))
    return min(filter(None, limits), default=cut or _USUAL_WINDOW)


def _positive(value: object) -> int:
    """The value where it is a length, else 0."""
    return value if type(value) is int and 0 < value < _NO_WINDOW else 0


def _prompts(root: Path) -> tuple[str, str]:
    """What the folder puts before a query and before a passage; sentence-transformers' own names and order."""
    said = _object(root / "config_sentence_transformers.json")
    prompts = _mapping(said.get("prompts"))
    usual = prompts.get(str(said.get("default_prompt_name")), "")

    def first(*names: str) -> str:
        found = next((prompts[name] for name in names if name in prompts), usual)
        return found if isinstance(found, str) else ""

    return first("query"), first("document", "passage", "corpus")


def _warn(folder: Folder, wanted: Wanted, config: Mapping[str, object]) -> None:
    """Say what may be wrong without being an error.

    E5 models differ in their prefixes (`query: `, or a whole instruction), so a guess from a name could be the wrong one and
    would not show; the same model without any finds clearly less, so silence would be wrong too.
    """
    said = f"{folder.name} {folder.tokenizer.parent.name} {config.get('_name_or_path', '')}"
    unsaid = wanted.query_prefix is None and wanted.passage_prefix is None
    if unsaid and not folder.query_prefix and not folder.passage_prefix and _E5.search(said):
        _log.warning(
            "the model in %r looks like an E5, which wants a prefix, and its folder names none: set "
            "HYDRAMIND_EMBEDDER_QUERY_PREFIX and HYDRAMIND_EMBEDDER_PASSAGE_PREFIX, usually 'query: ' and 'passage: ', "
            "or both to nothing if it wants none",
            str(folder.model),
        )


def _object(path: Path) -> Mapping[str, object]:
    """What a JSON file holds by name; nothing where there is no such file."""
    return _mapping(_json(path))


def _mapping(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _json(path: Path) -> object:
    try:
        return json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except ValueError:
        raise Misconfigured(f"{str(path)!r} is not JSON: download it again") from None
