// Ends this process like SIGTERM does when its parent is gone, even by SIGKILL; also when npm is gone, between which and this process
// a shell stands.
import { readFileSync } from 'node:fs';

const parent = process.ppid;
const grandparent = parentOf(parent);

const watch = setInterval(() => {
  if (process.ppid === parent && parentOf(parent) === grandparent) return;
  // Once: a second signal would cut short what the first one began.
  clearInterval(watch);
  process.kill(process.pid, 'SIGTERM');
}, 250).unref();

/** Where there is no /proc, only the parent itself is watched. */
function parentOf(pid) {
  try {
    return /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
