# The whole service in one container (docs/start.md). State is in /data; nothing else is written.
# What is copied stands in .dockerignore, and which packages stay in "dependencies" of package.json.
ARG NODE=node:24.21.0-bookworm-slim

FROM ${NODE} AS build
WORKDIR /app
ENV WRANGLER_SEND_METRICS=false
COPY package.json package-lock.json .npmrc ./
COPY tools/maintain/install.mjs tools/maintain/
RUN node tools/maintain/install.mjs
COPY . .
# Made here, for a container's files cannot be written.
RUN node tools/maintain/site-assets.mjs
# Scalar is served from its copy, this base has a Node, and nothing here uses Miniflare's sharp.
RUN npm prune --omit=dev --omit=peer --ignore-scripts \
  && rm -rf node_modules/@scalar node_modules/node-linux-* node_modules/sharp node_modules/@img

FROM ${NODE}
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* \
  && install -d -o node -g node -m 0700 /data
WORKDIR /app
COPY --from=build /app /app
ENV NODE_ENV=production WRANGLER_SEND_METRICS=false HOME=/tmp
USER node
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8787/api/v2/ready').then(({ ok }) => process.exit(ok ? 0 : 1))"]
ENTRYPOINT ["node", "tools/operate/start.ts", "--host", "0.0.0.0", "--state", "/data", "--env"]
