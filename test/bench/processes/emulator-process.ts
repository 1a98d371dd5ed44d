import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** An emulator without limits, in its own process. */
export interface EmulatorProcess {
  readonly url: string;
  readonly apiKey: string;
  readonly audienceId: string;
  /** Seconds of processor time so far, in user and kernel mode. */
  cpuSeconds(): number;
  /** The highest memory use so far. */
  peakMiB(): number;
  ask(method: string, path: string, body?: unknown): Promise<string>;
  stop(): Promise<void>;
}

/** Starts the built emulator. `dataDir` keeps its data on disk. Reads `/proc`, so the figures exist on Linux only. */
export async function startEmulator(dataDir?: string): Promise<EmulatorProcess> {
  const data = dataDir === undefined ? [] : ['--data', dataDir];
  const args = ['bin/svc.js', 'emulator', 'start', '--json', '--rate-limit', '0', ...data];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const { url, api_key, audience_id, pid } = JSON.parse(String(line));
  return {
    url,
    apiKey: api_key,
    audienceId: audience_id,
    cpuSeconds: () => cpuSeconds(pid),
    peakMiB: () => peakMiB(pid),
    ask: (method, path, body) => ask(`${url}${path}`, { method, key: api_key, body }),
    stop: () => stop(child),
  };
}

/** Seconds of processor time of a process. After its end: the last known value. */
export function cpuSeconds(pid: number): number {
  // `fields` are those after the program's name in brackets. The kernel counts in hundredths of a second.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function peakMiB(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}

interface BenchRequest {
  readonly method: string;
  readonly key: string;
  readonly body: unknown;
}

async function ask(url: string, { method, key, body }: BenchRequest): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${method} ${url}: ${response.status} ${text}`);
  }
  return text;
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
