// Preloaded by a process that is measured outside of a container: it finds the memory limit that a container would give it.
const limit = Number(process.env['KRO_GRAPH_BENCH_LIMIT']);
process.constrainedMemory = () => limit;
