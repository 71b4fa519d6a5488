#!/bin/bash
# `npm run image`: builds the container image for real and starts it, on a machine that has neither a
# container engine nor a registry of images. As root, with Debian's buildah and debootstrap: a base of
# minbase, the locked Node and npm, on which the Dockerfile is built in a chroot. All of it is in a
# folder that goes at the end (3 GB under TMPDIR, a few minutes).
set -euo pipefail
[ $# -eq 0 ] || { sed -n '2,5s/^# //p' "$0"; [ "$*" = --help ]; exit; }
cd "$(dirname "$0")/../.."
MAX_MB_OVER_BASE=300

folder=$(mktemp -d)
service=
trap '[ -z "$service" ] || { kill "$service"; wait "$service"; } 2>/dev/null || true; rm -rf "$folder"' EXIT
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs CONTAINERS_STORAGE_CONF=$folder/storage.conf
printf '[storage]\ndriver = "vfs"\nrunroot = "%s/run"\ngraphroot = "%s/images"\n' "$folder" "$folder" \
  > "$CONTAINERS_STORAGE_CONF"

echo 'the base: Debian, Node, npm'
debootstrap --variant=minbase bookworm "$folder/debian" > "$folder/log" || { tail "$folder/log"; exit 1; }
rm -rf "$folder"/debian/var/cache/apt/* "$folder"/debian/var/lib/apt/lists/*
base=$(buildah from scratch)
buildah copy --quiet "$base" "$folder/debian" / > /dev/null
buildah copy --quiet "$base" "$(readlink -f node_modules/.bin/node)" /usr/local/bin/node > /dev/null
buildah copy --quiet "$base" "$(dirname "$(readlink -f "$(which -a npm | grep -v node_modules | head -1)")")/.." /usr/local/lib/node_modules/npm > /dev/null
buildah run "$base" -- sh -c 'groupadd -g 1000 node && useradd -u 1000 -g node -m node &&
  ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm'
# Authorities that this machine trusts beside the usual ones, as behind a proxy.
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  buildah copy --quiet "$base" "$NODE_EXTRA_CA_CERTS" /etc/authorities.pem > /dev/null
  buildah config --env NODE_EXTRA_CA_CERTS=/etc/authorities.pem "$base"
fi
buildah commit --quiet "$base" localhost/base > /dev/null
buildah rm "$base" > /dev/null

echo 'the image'
buildah bud --quiet --build-arg NODE=localhost/base --tag localhost/cotizaciones . > "$folder/log" 2>&1 ||
  { tail -40 "$folder/log"; exit 1; }
megabytes_of() { du -sm "$(buildah mount "$(buildah from --pull-never "$1")")" | cut -f1; }
image=$(megabytes_of localhost/cotizaciones)
over=$((image - $(megabytes_of localhost/base)))
echo "built: $image MB, $over over its base"
[ "$over" -le "$MAX_MB_OVER_BASE" ] || { echo "more than $MAX_MB_OVER_BASE MB over its base"; exit 1; }

# Without an engine the entry point is run by hand, as the user of the image.
container=$(buildah from --pull-never localhost/cotizaciones)
port=$(node -e 'const server = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(server.address().port); server.close() })')
buildah run --user node "$container" -- node tools/operate/start.ts \
  --host 127.0.0.1 --port "$port" --state /data --env --demo --no-backfill > "$folder/log" 2>&1 &
service=$!
for _ in $(seq 120); do
  grep -q '^ready ' "$folder/log" && break
  kill -0 "$service" 2>/dev/null || break
  sleep 1
done
grep '^ready ' "$folder/log" || { cat "$folder/log"; exit 1; }
node -e 'fetch(process.argv[1]).then(({ status }) => console.log("quotes answer", status) ?? process.exit(status === 200 ? 0 : 1))' \
  "http://127.0.0.1:$port/api/v2/quotes"
buildah run --user node "$container" -- node tools/operate/admin.ts account create ana@example.com --state /data
