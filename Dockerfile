# The command line of Riccatree, and its library with headers, on Debian 12: built and packed in one image, installed from the packages in
# another. docs/installation.md says how it is used.
FROM debian:12-slim AS build
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
WORKDIR /riccatree
COPY scripts/install-dependencies.sh scripts/
RUN scripts/install-dependencies.sh --run-only \
    && apt-get install -y --no-install-recommends dpkg-dev file \
    && rm -rf /var/lib/apt/lists/*
COPY . .
RUN cmake --preset release -B build/package -DCMAKE_INSTALL_PREFIX=/usr -DRCT_TESTS=OFF -DRCT_BENCH=OFF -DRCT_PYTHON=OFF \
        -DRCT_CUDA=OFF -DRCT_MPI=OFF \
    && cmake --build build/package \
    && scripts/package.sh build/package

FROM debian:12-slim
COPY --from=build /riccatree/build/package/packages/*.deb /packages/
RUN apt-get update \
    && apt-get install -y --no-install-recommends /packages/*.deb \
    && rm -rf /var/lib/apt/lists/* /packages \
    && useradd --create-home riccatree \
    && install -d -o riccatree /work
USER riccatree
WORKDIR /work
ENTRYPOINT ["riccatree"]
CMD ["--help"]
