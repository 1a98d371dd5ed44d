import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Program } from './measure.ts';

const node = process.execPath;

/** The built program, started like the `bin` of the package. No environment variable of this shell reaches it. */
export function svc(state: string, ...args: readonly string[]): Program {
  const env = { XDG_CONFIG_HOME: state, XDG_STATE_HOME: state, SVC_BASE_URL: '', SVC_API_KEY: KEY };
  return { command: [node, 'bin/svc.js', ...args], env };
}

/** Node itself, or a script of the bench. */
export function onNode(...args: readonly string[]): Program {
  return { command: [node, ...args] };
}

/** A survey of a list: everything is read, nothing is sent. */
export function survey(state: string, list: string, ...flags: readonly string[]): Program {
  return svc(state, 'migrate', list, '--dry-run', '-q', '--state-dir', state, ...ANSWERS, ...flags);
}

/** A migration of a list to a service on loopback that limits nothing. */
export function migration(state: string, list: string, url: string): Program {
  const there = ['--base-url', url, '--audience', AUDIENCE, '--rate', '10000000', '--reserve', '0'];
  return svc(state, 'migrate', list, '-q', '--yes', '--state-dir', state, ...ANSWERS, ...there);
}

/** A check of a list against an audience on loopback that limits nothing. */
export function check(state: string, list: string, url: string): Program {
  const there = ['--base-url', url, '--audience', AUDIENCE, '--rate', '10000000', '--reserve', '0'];
  return svc(state, 'contacts', 'check', list, '-q', '--state-dir', state, ...there);
}

/** The plain script with the same work. */
export function naiveScript(list: string, url: string): Program {
  return onNode('test/bench/processes/naive-script.ts', list, url, KEY, AUDIENCE);
}

const ANSWERS = ['--plan', 'paid', '--default-status', 'subscribed'];
/** The audience of the sink, see sink.ts. */
export const AUDIENCE = 'aud_bench';
const KEY = 'service_live_bench';

/** Runs `use` with the URL of a sink in its own process, see sink.ts. */
export function withSink<T>(use: (url: string) => Promise<T>): Promise<T> {
  return withService(['test/bench/processes/sink.ts'], use);
}

/** Runs `use` with the URL of a service whose audience has this many people, see audience-sink.ts. */
export function withAudience<T>(people: number, use: (url: string) => Promise<T>): Promise<T> {
  return withService(['test/bench/processes/audience-sink.ts', String(people)], use);
}

async function withService<T>(script: readonly string[], use: (url: string) => Promise<T>): Promise<T> {
  const child = spawn(node, script, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = await once(child.stdout, 'data');
    return await use(`http://127.0.0.1:${String(port).trim()}`);
  } finally {
    child.kill('SIGTERM');
  }
}
