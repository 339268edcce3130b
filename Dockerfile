# The service as an image. Build it from a clone: docker build -t belfry .

# Pinned by its digest, here that of 24.19.0 for all platforms: .ci/pin writes a newer one.
ARG BASE=node:24-bookworm-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df

FROM ${BASE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
# What users of the package get is what the image gets.
RUN npm pack --silent && mkdir /tmp/package && tar -xzf belfry-*.tgz -C /tmp/package --strip-components=1
WORKDIR /tmp/package
COPY package-lock.json ./
# The image has its Node; the one that npm can bring along stays out.
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund && rm package-lock.json

FROM ${BASE}
COPY --from=build /tmp/package /opt/belfry
RUN ln -s /opt/belfry/bin/belfry.js /usr/local/bin/belfry \
  && install -d -o node -g node -m 0700 /var/lib/belfry /var/lib/belfry-key /var/backups/belfry
ENV NODE_ENV=production \
  BELFRY_DATA=/var/lib/belfry \
  BELFRY_LISTEN=0.0.0.0:8080 \
  BELFRY_TRAPS=0.0.0.0:1162
USER node
WORKDIR /var/lib/belfry
VOLUME /var/lib/belfry
EXPOSE 8080 1162/udp
# Finds the service through the data folder, whatever port and certificate it has.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["node", "/opt/belfry/bin/belfry.js", "health"]
# Node is process 1 and handles SIGTERM itself.
ENTRYPOINT ["node", "/opt/belfry/bin/belfry.js"]
CMD ["serve"]
