#!/usr/bin/env bash
# test-on-node.sh VERSION [vitest arguments]: the suite on another version of Node, whose binary comes from the registry.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$1
shift
folder="node_modules/.cache/node-$version"
mkdir -p "$folder"
[ -f "$folder/package.json" ] || echo '{"private":true}' >"$folder/package.json"
[ -x "$folder/node_modules/node/bin/node" ] || npm install --no-save --no-audit --no-fund --prefix "$folder" "node@$version"
PATH="$PWD/$folder/node_modules/node/bin:$PATH"
echo "The suite on Node $(node --version)"
exec node node_modules/vitest/vitest.mjs run "$@"
