/** What a process has. */
export interface Resources {
  /** The container's memory limit in bytes; what is beyond the machine's memory is no limit. */
  readonly limitBytes: number;
  readonly machineBytes: number;
  readonly cores: number;
}

/** How the webhook uses its memory; the main thread's own heap is set by a flag of Node (the chart's `nodeOptions`). */
export interface MemoryPlan {
  readonly threads: number;
  /** Of one thread's heap. */
  readonly oldMegabytes: number;
  readonly youngMegabytes: number;
  /** Bytes of bodies that may be inside at once; each is parsed twice and compiled once. */
  readonly bodyBytes: number;
}

const MEBIBYTE = 1024 * 1024;
/** Without a limit it uses no more than this asks for. */
const UNLIMITED_MEGABYTES = 1024;
/** What is left to the main thread, to code, TLS and bodies (measured: 210 MiB with 512 MiB and bodies that fill the room). */
const MAIN_SHARE = 0.55;
/** A Graph of 1.4 MiB (4,900 nodes) compiles with 64 MiB; more lets the garbage collector work less. */
const LEAST_THREAD_MEGABYTES = 80;
const MOST_THREADS = 4;

/**
 * Shares the memory limit out, so that all that is allowed to grow stays below it together. Two threads where that is possible, also on one core:
 * while one compiles the largest of Graphs, others are answered (graph.md 14.6).
 */
export function planMemory({ limitBytes, machineBytes, cores }: Resources): MemoryPlan {
  const limit = limitBytes > 0 && limitBytes < machineBytes ? limitBytes : Math.min(machineBytes, UNLIMITED_MEGABYTES * MEBIBYTE);
  const megabytes = limit / MEBIBYTE;
  const forThreads = megabytes * (1 - MAIN_SHARE);
  const wanted = Math.max(2, Math.min(MOST_THREADS, cores));
  const threads = Math.max(1, Math.min(wanted, Math.floor(forThreads / LEAST_THREAD_MEGABYTES)));
  const each = Math.min(512, Math.max(LEAST_THREAD_MEGABYTES, forThreads / threads));
  const youngMegabytes = Math.round(each * 0.3);
  return {
    threads,
    oldMegabytes: Math.round(each) - youngMegabytes,
    youngMegabytes,
    bodyBytes: Math.round(Math.min(64, Math.max(4, megabytes / 48)) * MEBIBYTE),
  };
}
