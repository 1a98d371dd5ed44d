import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SvcError } from '../../base/errors.ts';
import { EXIT, type ExitCode } from '../../base/exit.ts';
import { ensurePrivateFolder } from '../../base/files.ts';
import { plural, safe } from '../../base/text.ts';
import type { Audience } from '../../wire/shapes.ts';
import type { Account } from '../account.ts';
import type { Invocation } from '../invocation.ts';
import { print } from '../print.ts';
import { stateOf } from '../state.ts';
import { type ExportPlan, exportContacts } from './export-contacts.ts';
import { type AudienceFlags, withAudience } from './with-audience.ts';

/** Flags of `contacts export`. */
export interface ExportFlags extends AudienceFlags {
  readonly output?: string;
  readonly force?: boolean;
  readonly format?: 'csv' | 'ndjson';
  readonly status?: string;
  readonly cursorFile?: string;
  readonly spreadsheet?: boolean;
}

/** `contacts export`: the contacts on stdout, or in a file and a line about it on stdout. */
export async function exportAll(invocation: Invocation<ExportFlags>): Promise<ExitCode> {
  const { flags, settings } = invocation;
  if (settings.output.json && flags.output === undefined) {
    throw new SvcError(EXIT.usage, 'usage', '--json says what became of the export, so the contacts need --output', {
      hint: 'For JSON on stdout, an object a line: --format ndjson',
    });
  }
  await withAudience(invocation, (account, audience) => exportAudience(invocation, account, audience));
  return EXIT.ok;
}

/** Exports an audience that was found, and says so. An interrupted one says how to go on. */
export async function exportAudience(
  invocation: Invocation<ExportFlags>,
  account: Account,
  audience: Audience,
): Promise<void> {
  const { context } = invocation;
  const plan = planOf(invocation, account, audience);
  try {
    const exported = await exportContacts(plan, {
      client: account.client,
      stdout: context.stdout,
      signal: context.signal,
    });
    tell(invocation, plan, exported);
  } catch (error) {
    throw plan.cursorFile === undefined ? error : withWayOn(error, plan.cursorFile);
  }
}

function planOf(
  { flags, context, settings }: Invocation<ExportFlags>,
  account: Account,
  audience: Audience,
): ExportPlan {
  const output = flags.output === undefined ? undefined : resolve(context.cwd, flags.output);
  const cursorFile = flags.cursorFile === undefined ? undefined : resolve(context.cwd, flags.cursorFile);
  const format = flags.format ?? (/\.(ndjson|jsonl)(\.part)?$/i.test(output ?? '') ? 'ndjson' : 'csv');
  const cursor = cursorFile ?? (output === undefined ? undefined : `${output}.cursor`);
  if (output !== undefined && !flags.force && existsSync(output) && statSync(output).size > 0) {
    throw new SvcError(EXIT.usage, 'output_exists', `${safe(output)} is there already`, {
      hint: 'Name another file, or replace it with --force.',
    });
  }
  const source = { origin: account.origin, audience: audience.id, format, status: flags.status ?? null };
  const spool = () => spoolIn(stateOf(context, settings), context.randomHex(12));
  const gathers = output !== undefined || format === 'csv';
  const part = gathers ? (partOf(output ?? cursor) ?? spool()) : undefined;
  return { source, output, cursorFile: cursor, part, spreadsheet: flags.spreadsheet === true };
}

function partOf(path: string | undefined): string | undefined {
  return path === undefined ? undefined : `${path}.part`;
}

/** People's data belongs to its owner alone, so it is gathered there and not in a folder that everybody shares. */
function spoolIn(state: string, random: string): string {
  ensurePrivateFolder(state);
  return join(state, `export-${random}.part`);
}

function tell(invocation: Invocation<ExportFlags>, plan: ExportPlan, exported: { readonly contacts: number }): void {
  const { settings, context } = invocation;
  const { output, source } = plan;
  if (output === undefined) {
    return;
  }
  const said = { object: 'export', audience: source.audience, format: source.format, ...exported, file: output };
  if (settings.output.json) {
    print(invocation, said, () => '');
  } else if (!settings.output.quiet) {
    context.stderr.write(`${plural(exported.contacts, 'contact')} in ${safe(output)}\n`);
  }
}

function withWayOn(error: unknown, cursorFile: string): unknown {
  if (!(error instanceof SvcError) || error.exit === EXIT.usage || !existsSync(cursorFile)) {
    return error;
  }
  const hint = `The same command goes on from there (${safe(cursorFile)}).`;
  return new SvcError(error.exit, error.code, error.message, { hint, cause: error, requestId: error.requestId });
}
