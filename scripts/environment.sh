# Sourced by scripts/run and scripts/test: makes .venv from a lock file, once per lock.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

find_python() {
  local candidate
  for candidate in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11; do
    if [ -n "$candidate" ] && command -v "$candidate" >/dev/null 2>&1 &&
      "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  echo "Python 3.11 or newer is needed; set PYTHON to one." >&2
  exit 2
}

# make_environment LOCK: the packages of LOCK by hash, and this checkout as an editable package.
make_environment() {
  local lock=$1 python stamp
  python=$(find_python)
  stamp=.venv/.made-from-$(cat "$lock" requirements-build.lock pyproject.toml | cksum | tr ' ' '-')
  if [ -e "$stamp" ]; then
    return
  fi
  echo "Setting up .venv from $lock ..." >&2
  if [ ! -x .venv/bin/python ]; then
    "$python" -m venv .venv || {
      echo "'$python -m venv' failed; on Debian and Ubuntu install python3-venv." >&2
      exit 2
    }
  fi
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r "$lock"
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-build.lock
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
  touch "$stamp"
}

# build_pages: the pages of the dashboard, once; without them everything else works, so a failure is told and passed.
build_pages() {
  if [ -e hydramind/web/static/app/index.html ]; then
    return
  fi
  echo "Building the pages ..." >&2
  if ! { .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-pages.lock &&
    .venv/bin/python scripts/build_ui.py >&2; }; then
    echo "The pages could not be built; /app says so, everything else works." >&2
  fi
}
