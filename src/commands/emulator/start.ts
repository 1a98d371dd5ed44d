import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSystemClock } from '../../base/lib/clock.ts';
import { badUsage, EXIT, type ExitCode, SvcError } from '../../base/lib/errors.ts';
import { terminalSafe } from '../../base/lib/text.ts';
import { VARIANTS } from '../../emulator/context/variants.ts';
import { createEmulator, type EmulatorOptions } from '../../emulator/emulator.ts';
import { renderTable } from '../../render/text/table.ts';
import type { Invocation } from '../framework/invocation.ts';
import { parseJsonFile } from '../framework/json-file.ts';
import { print } from '../framework/output/print.ts';
import { reconcileExistingStore } from '../framework/settings/embedded-emulator.ts';
import { whyUnreadable } from '../framework/stdin.ts';
import { untilAborted, unusablePortError } from './port.ts';

interface StartFlags {
  readonly port: number;
  readonly data?: string;
  readonly rateLimit?: number;
  readonly faults?: string;
  readonly seed?: string;
  readonly quirk?: readonly string[];
  readonly speed?: string;
  readonly allowLoopbackWebhooks?: boolean;
}

/** `svc emulator start`: serves the emulated service until Ctrl-C or SIGTERM. Prints the address once it listens. */
export async function startEmulator({ flags, settings, context }: Invocation<StartFlags>): Promise<ExitCode> {
  const emulator = await createEmulator({
    clock: createSystemClock(readSpeed(flags.speed ?? '1')),
    networkClock: createSystemClock(),
    plan: settings.plan.value,
    // --plan overrides the plan in the file of --seed. A plan from the environment or the profile does not.
    isPlanFixed: settings.plan.source === 'flag',
    randomHex: context.randomHex,
    allowLoopbackWebhooks: flags.allowLoopbackWebhooks === true,
    ...givenOptions(flags, context.cwd),
  });
  reconcileExistingStore({ emulator, folder: flags.data, seed: flags.seed }, settings, context);
  const listening = await emulator.listen(flags.port).catch((cause: unknown) => {
    throw unusablePortError('127.0.0.1', flags.port, cause);
  });
  const details = {
    url: listening.url,
    mcp_url: listening.mcpUrl,
    api_key: emulator.apiKey,
    audience_id: emulator.audienceId,
    pid: context.platform.pid,
  };
  context.stdout.write(settings.output.json ? `${JSON.stringify(details)}\n` : introduction(details));
  await untilAborted(context.signal);
  await listening.close();
  await emulator.close();
  return EXIT.ok;
}

/**
 * `svc emulator quirks`: prints each point that the service document leaves open, and its readings, the default first.
 */
export async function listVariants(invocation: Invocation<unknown>): Promise<ExitCode> {
  const columns = [{ title: 'name' }, { title: 'readings (first: default)' }, { title: 'what the document says' }];
  const rows = VARIANTS.map(({ name, readings, sentence }) => [name, readings.join(', '), sentence]);
  print(invocation, VARIANTS, (_, style) => renderTable(columns, rows, style));
  return EXIT.ok;
}

function givenOptions(flags: StartFlags, cwd: string): Partial<EmulatorOptions> {
  const given = {
    dataDir: flags.data && resolve(cwd, flags.data),
    rateLimit: flags.rateLimit,
    variants: flags.quirk && variantChoices(flags.quirk),
    faults: flags.faults && readJsonFile('--faults', resolve(cwd, flags.faults)),
    seed: flags.seed && readJsonFile('--seed', resolve(cwd, flags.seed)),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function variantChoices(texts: readonly string[]): Record<string, string> {
  const choices = new Map<string, string>();
  for (const text of texts) {
    const [name = ''] = text.split('=', 1);
    if (name === text) {
      throw badUsage(`--quirk takes <name=value>: ${text}`, 'See: svc emulator quirks');
    }
    if (choices.has(name)) {
      throw badUsage(`--quirk names ${terminalSafe(name)} twice`, 'Give each name once.');
    }
    choices.set(name, text.slice(name.length + 1));
  }
  return Object.fromEntries(choices);
}

function readJsonFile(flag: string, path: string): unknown {
  try {
    return parseJsonFile(readFileSync(path));
  } catch (cause) {
    throw new SvcError(EXIT.usage, 'input_unreadable', `${flag}: ${terminalSafe(path)} can't be read as JSON`, {
      hint: whyUnreadable(cause),
      cause,
    });
  }
}

function readSpeed(text: string): number {
  const value = Number(text);
  if (!/^\d{1,6}(\.\d+)?$/.test(text) || value === 0) {
    throw badUsage(
      `--speed takes a number above 0, not "${terminalSafe(text)}"`,
      'For example, so that one second here is a minute there:\n--speed 60',
    );
  }
  return value;
}

function introduction(details: Readonly<Record<'url' | 'mcp_url' | 'api_key' | 'audience_id', string>>): string {
  return [
    `The emulated service listens on ${details.url}`,
    '',
    `  export SVC_BASE_URL=${details.url}`,
    `  export SVC_MCP_URL=${details.mcp_url}`,
    `  export SVC_API_KEY=${details.api_key}`,
    '',
    `Its first audience is ${details.audience_id}. It sends no mail. Ctrl-C stops it.`,
    '',
  ].join('\n');
}
