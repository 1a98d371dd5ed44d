import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Measurement, type Spread, spread } from './measure.ts';
import { cpuSeconds, type EmulatorProcess, startEmulator } from './processes/emulator-process.ts';

/** The sizes to measure with. `list` is for the ratio of processor times, `contacts` for everything else. */
export interface Size {
  readonly list: string;
  readonly contacts: number;
  readonly rounds: number;
}

const FEW = 10_000;

/** The emulator must not slow a rehearsal down: it takes batches faster than the client makes them, at any size. */
export function emulatorFigures(size: Size): readonly Measurement[] {
  const { contacts } = size;
  return [
    {
      name: 'emulator',
      meaning: 'processor time of the emulator against that of the client alone, sending batches of people in no order',
      bar: 1,
      measure: () => batchRatio(size, false),
    },
    {
      name: 'emulator --data',
      meaning: 'the same with its data on disk',
      bar: 1,
      measure: () => batchRatio(size, true),
    },
    {
      name: 'emulator look-up',
      meaning: `a look-up by address among ${contacts} contacts against one among ${FEW}`,
      bar: 2,
      measure: () => growth(size, contact),
    },
    {
      name: 'emulator page',
      meaning: `a page of 100 among ${contacts} contacts against one among ${FEW}`,
      bar: 2,
      measure: () => growth(size, () => '?limit=100'),
    },
    {
      name: 'emulator memory',
      meaning: `MiB that ${contacts} contacts take above a tenth of them`,
      bar: 150,
      measure: async () => {
        const more = (await heldBy(contacts)) - (await heldBy(contacts / 10));
        return { median: more, min: more, max: more };
      },
    },
  ];
}

/**
 * The processor time of the emulator, divided by that of the client without reading the list. A dry run measures the
 * reading.
 */
async function batchRatio({ list, rounds }: Size, onDisk: boolean): Promise<Spread> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-emulator-'));
  try {
    const path = join(folder, 'list.csv');
    writeFileSync(path, inNoOrder(readFileSync(list, 'utf8')));
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ratios.push(await oneRatio(path, join(folder, String(round)), onDisk));
    }
    return spread(ratios);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Replaces the address of each row by a hash, because real lists are in no order that suits an index.
function inNoOrder(list: string): string {
  const hash = (text: string) => createHash('md5').update(text).digest('hex').slice(0, 14);
  return list.replace(/^person(\d+)@/gm, (_, number) => `${hash(number)}@`);
}

async function oneRatio(path: string, folder: string, onDisk: boolean): Promise<number> {
  const emulator = await startEmulator(onDisk ? join(folder, 'data') : undefined);
  const migrate = ['migrate', path, '-q', '--plan', 'paid', '--default-status', 'subscribed', '--state-dir', folder];
  const there = ['--yes', '--base-url', emulator.url, '--audience', emulator.audienceId, '--rate', '1000000'];
  const before = emulator.cpuSeconds();
  const whole = await clientSeconds([...migrate, ...there], emulator.apiKey);
  const taken = emulator.cpuSeconds() - before;
  await emulator.stop();
  return taken / (whole - (await clientSeconds([...migrate, '--dry-run'], '')));
}

async function clientSeconds(args: readonly string[], key: string): Promise<number> {
  const env = { ...process.env, SVC_API_KEY: key };
  const child = spawn(process.execPath, ['bin/svc.js', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  let seconds = 0;
  const watch = setInterval(() => {
    seconds = child.exitCode === null && child.pid !== undefined ? cpuSeconds(child.pid) : seconds;
  }, 20);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  if (code !== 0) {
    throw new Error(`svc ${args.join(' ')}: exit ${code}`);
  }
  return seconds;
}

const address = (number: number) => `p${(number * 7_919) % 1_000_003}x${number}@example.com`;
const contact = (held: number, turn: number) => `/${address((turn * 104_729) % held)}`;

async function startFilled(contacts: number): Promise<EmulatorProcess> {
  const emulator = await startEmulator();
  const path = `/v1/audiences/${emulator.audienceId}/contacts/batch`;
  for (let from = 0; from < contacts; from += 1_000) {
    const people = Array.from({ length: 1_000 }, (_, index) => ({
      email: address(from + index),
      attributes: {
        company: 'Société du Nord',
        city: 'São Paulo',
        plan: 'business',
        customer_id: String(from + index),
      },
    }));
    await emulator.ask('POST', path, { upsert: true, contacts: people });
  }
  return emulator;
}

async function heldBy(contacts: number): Promise<number> {
  const emulator = await startFilled(contacts);
  const peak = emulator.peakMiB();
  await emulator.stop();
  return peak;
}

/** The path of a request, by its number and the number of contacts. */
type PathOf = (held: number, turn: number) => string;

/**
 * The ratio of the response times with many and with few contacts, measured in turns. Throws if a response takes 5 ms
 * or more with many contacts.
 */
async function growth({ contacts, rounds }: Size, pathOf: PathOf): Promise<Spread> {
  const [few, many] = [await startFilled(FEW), await startFilled(contacts)];
  const ratios: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const small = await responseTime(few, (turn) => pathOf(FEW, turn));
    const large = await responseTime(many, (turn) => pathOf(contacts, turn));
    if (large >= 5) {
      throw new Error(`${large} ms with ${contacts} contacts: the bar is 5 ms`);
    }
    // The first round warms both emulators up, so it doesn't count.
    ratios.push(...(round === 0 ? [] : [large / small]));
  }
  await Promise.all([few.stop(), many.stop()]);
  return spread(ratios);
}

const REQUESTS = 500;

/** Processor time of one response in milliseconds. Wall time would depend on other programs of the machine. */
async function responseTime(emulator: EmulatorProcess, pathOf: (turn: number) => string): Promise<number> {
  const began = emulator.cpuSeconds();
  for (let turn = 0; turn < REQUESTS; turn += 1) {
    await emulator.ask('GET', `/v1/audiences/${emulator.audienceId}/contacts${pathOf(turn)}`);
  }
  return ((emulator.cpuSeconds() - began) * 1_000) / REQUESTS;
}
