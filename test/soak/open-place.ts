import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createSystemClock } from '../../src/base/lib/clock.ts';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { type CommandEnd, fill, type Place, prepare, type Scenario } from '../scenario/hostile/scenarios.ts';
import { memoryRoot } from '../support/node/memory.ts';
import { startProgram } from '../support/program.ts';
import type { Wrapper } from './injectors.ts';

// After an unlock that failed, SQLite waits ten seconds before it gives up a statement. svc needs up to six statements
// to record the end of the run, so a program that ends properly can take more than a minute.
const HANG_MS = 180_000;

/** A place for one scenario: an emulator, a folder, and the built program. */
export interface OpenPlace extends Place {
  /** Applies a wrapper to the programs that `work` starts. */
  around(around: Wrapper, work: () => Promise<CommandEnd>): Promise<CommandEnd>;
  close(): Promise<void>;
}

/** Opens a place, and runs what comes before the command of a scenario. */
export async function openPlace(scenario: Scenario): Promise<OpenPlace> {
  const root = mkdtempSync(join(memoryRoot(), 'svc-calls-'));
  const folder = join(root, 'home');
  const state = join(folder, 'state');
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const emulator = await createEmulator({ clock: createSystemClock(), randomHex, rateLimit: 0 });
  const listening = await emulator.listen(0);
  const env = { SVC_BASE_URL: listening.url, SVC_API_KEY: emulator.apiKey, SVC_STATE_DIR: state, HOME: folder };
  let outside: Wrapper = {};
  const place: OpenPlace = {
    emulator,
    folder,
    state,
    automation: fill(emulator, folder),
    type: (words) => runCommand(words, { env: { ...env, ...outside.env }, cwd: folder, under: outside.under ?? [] }),
    around: async (around, work) => {
      outside = around;
      try {
        return await work();
      } finally {
        outside = {};
      }
    },
    close: async () => {
      await emulator.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
  await prepare(place, scenario);
  return place;
}

interface CommandContext {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly under: readonly string[];
}

async function runCommand(words: readonly string[], { env, cwd, under }: CommandContext): Promise<CommandEnd> {
  const { child, exit } = startProgram(words, env, { cwd, under, detached: true });
  const hang = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), HANG_MS);
  const { code, signal, out, err } = await exit;
  clearTimeout(hang);
  return { code, out, err: signal ? `${signal} ${err}` : err };
}

function randomHex(length: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(Math.ceil(length / 2))))
    .toString('hex')
    .slice(0, length);
}
