# One image for both processes: args "webhook" or "controller", then their flags. It runs as user 65532, and never writes to its root.
ARG BUILD_IMAGE=node:24-slim
ARG BASE_IMAGE=gcr.io/distroless/nodejs24-debian13:nonroot

# TypeScript becomes the same JavaScript everywhere: built once, on the builder's own platform.
FROM --platform=$BUILDPLATFORM ${BUILD_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/build.ts scripts/
COPY src src/
COPY webhook webhook/
COPY controller controller/
RUN node scripts/build.ts

# What runs, without what only builds and tests.
FROM --platform=$BUILDPLATFORM ${BUILD_IMAGE} AS dependencies
WORKDIR /dependencies
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM ${BASE_IMAGE}
LABEL org.opencontainers.image.title="kro-graph" \
      org.opencontainers.image.description="The kro.run/v1alpha1 Graph API: a validating webhook and a controller over one compiler" \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
COPY package.json LICENSE ./
COPY bin/image.mjs bin/
COPY --from=dependencies /dependencies/node_modules node_modules/
COPY --from=build /build/dist dist/
# One arena of malloc for all threads, as bin/kro-graph has it.
ENV MALLOC_ARENA_MAX=1
ENV NODE_ENV=production PATH=/nodejs/bin:/usr/local/bin:/usr/bin:/bin
USER 65532:65532
# Admission, metrics, probes.
EXPOSE 10250 8080 8081
ENTRYPOINT ["node", "/app/bin/image.mjs"]
