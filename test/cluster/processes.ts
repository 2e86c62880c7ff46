import { readdirSync, readFileSync } from 'node:fs';

/** The running processes whose command line has this text, as their command lines. Linux only, as its caller (a test). */
export function processesWith(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => commandLine(pid))
    .filter((command) => command.includes(text));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    // It has just ended.
    return '';
  }
}
