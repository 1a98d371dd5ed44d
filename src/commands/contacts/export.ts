import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { getAudience, sizeOfAudience } from '../../api/resources/audiences.ts';
import { badUsage, EXIT, type ExitCode, rewordError, SvcError, withoutFlags } from '../../base/lib/errors.ts';
import { interruptedError, interruptionOf } from '../../base/lib/interruption.ts';
import { formatNumber, plural, terminalSafe } from '../../base/lib/text.ts';
import { withOutputLocks } from '../../base/os/file-lock.ts';
import { ensurePrivateFolder } from '../../base/os/files.ts';
import { temporaryPathFor } from '../../base/os/replace-file.ts';
import type { Invocation } from '../framework/invocation.ts';
import { lineWithFlags, programName, withPasteableLastCommand } from '../framework/output/command-to-paste.ts';
import { print, writeNote, writeSentence } from '../framework/output/print.ts';
import { resolveStateFolder } from '../framework/settings/settings.ts';
import {
  type AudienceFlags,
  type OpenAudience,
  withOpenAudience,
} from '../mailing-list-commands/flags/audience-target.ts';
import { checkOutputFiles, refuseDash, refuseExisting, refuseForeign } from '../mailing-list-commands/output-files.ts';
import type { ExportPlan } from './export-output.ts';
import { checkContactStatus } from './ls.ts';
import { writeExport } from './write-export.ts';

interface ExportFlags extends AudienceFlags {
  readonly output?: string;
  readonly force?: boolean;
  readonly format?: 'csv' | 'ndjson';
  readonly status?: string;
  readonly cursorFile?: string;
  readonly spreadsheet?: boolean;
}

export async function exportContacts(typed: Invocation<ExportFlags>): Promise<ExitCode> {
  const { output, ...others } = typed.flags;
  // `-` is standard output, as without the flag.
  const invocation: Invocation<ExportFlags> = output === '-' ? { ...typed, flags: others } : typed;
  const { flags, settings } = invocation;
  if (settings.output.json && flags.output === undefined) {
    throw badUsage(
      '--json reports the result of the export, so the contacts need --output',
      `For JSON on stdout, one object per line:\n${withoutFlags(['--json'])} with --format ndjson`,
    );
  }
  checkContactStatus(flags.status);
  refuseDash('--cursor-file', flags.cursorFile);
  checkOutputFiles(invocation.context, { inputs: [], output: flags.output });
  // No progress bars on a terminal that shows the contacts, because both would mix.
  const showsBars = flags.output !== undefined || !invocation.context.stdout.isTTY;
  await withOpenAudience(invocation, (found) => exportAudience(invocation, found), { showsBars });
  return EXIT.ok;
}

/**
 * Exports an audience, and says how many contacts it wrote. The error of an interrupted export says how to resume it.
 */
export async function exportAudience(invocation: Invocation<ExportFlags>, found: OpenAudience): Promise<void> {
  invocation.context.tuneForMuchData();
  const plan = planOf(invocation, found);
  const { output, cursorFile, temporaryPath } = plan;
  const shared = cursorFile === undefined ? [] : [output, cursorFile, temporaryPath];
  // Two exports into one file would mix their pages, and both would report success. So the files are locked.
  await withOutputLocks(shared, async () => {
    if (output !== undefined) {
      refuseExisting(output, invocation.flags.force);
    }
    await exportPlan(invocation, plan, found);
  });
}

async function exportPlan(invocation: Invocation<ExportFlags>, plan: ExportPlan, found: OpenAudience): Promise<void> {
  const { stdout, signal, clock, randomHex } = invocation.context;
  const { quiet } = invocation.settings.output;
  const note = (text: string) => (quiet ? undefined : writeNote(invocation.context, text));
  const { account, emit } = found;
  try {
    // If svc can't get the count again, it keeps the contacts that it has read.
    const recount = () =>
      countContacts(found, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        return error instanceof SvcError ? undefined : Promise.reject(error);
      });
    const counted = found.audience.contact_counts;
    const total = counted === undefined ? await countContacts(found, signal) : sizeOfAudience(counted);
    const { client } = account;
    const reading = { client, stdout, signal, emit, clock, total, recount, randomHex, note };
    const { listed, isComplete, ...exported } = await writeExport(plan, reading);
    emit({ type: 'phase', phase: 'done' });
    if (!isComplete && total !== undefined && !stdout.closed) {
      const missing = missingNote({ before: total, now: (await recount().catch(() => undefined)) ?? total, listed });
      note(withPasteableLastCommand(missing, invocation.argv, invocation.context));
    }
    report(invocation, plan, exported);
  } catch (error) {
    const stopped = error instanceof SvcError ? undefined : interruptionOf(signal);
    const problem = stopped ? interruptedError(stopped) : error;
    throw plan.cursorFile === undefined ? error : withResumeHint(problem, plan.cursorFile, invocation);
  }
}

/** How many contacts the service counted before and after the export, and how many it listed. */
interface CountsOfService {
  readonly before: number;
  readonly now: number;
  readonly listed: number;
}

/** The note about contacts that the service counted and did not list (V2). */
function missingNote({ before, now, listed }: CountsOfService): string {
  const why =
    now < before
      ? 'Contacts were deleted while svc read them, and its lists may lack people who are not subscribed'
      : 'Its lists may lack people who are not subscribed';
  const what =
    now > listed
      ? `The service counts ${plural(now, 'contact')} and lists ${formatNumber(listed)}. ${why}`
      : `Contacts came or went while svc read them, so the export may lack people`;
  return `${what}. To read one of them: svc contacts get <address>`;
}

/** The number of contacts of any status. Undefined if the service shows no count. */
async function countContacts({ account, audience }: OpenAudience, signal: AbortSignal): Promise<number | undefined> {
  const { contact_counts } = await getAudience(account.client, audience.id, { signal });
  return contact_counts && sizeOfAudience(contact_counts);
}

function planOf(
  { flags, context, settings }: Invocation<ExportFlags>,
  { account, audience }: OpenAudience,
): ExportPlan {
  const output = flags.output === undefined ? undefined : resolve(context.cwd, flags.output);
  const cursorFile = flags.cursorFile === undefined ? undefined : resolve(context.cwd, flags.cursorFile);
  const format = flags.format ?? (/\.(ndjson|jsonl)(\.part)?$/i.test(output ?? '') ? 'ndjson' : 'csv');
  const cursor = cursorFile ?? (output === undefined ? undefined : `${output}.cursor`);
  const target = output ?? cursor;
  const part = target === undefined ? undefined : temporaryPathFor(target);
  const exportPaths = [output, cursor, part].filter((path) => path !== undefined);
  exportPaths.forEach((path) => refuseForeign(path === cursorFile ? '--cursor-file' : '--output', path, context));
  const source = { origin: account.origin, audience: audience.id, format, status: flags.status ?? null };
  const makeTemporaryPath = () => temporaryFileIn(resolveStateFolder(context, settings), context.randomHex(12));
  const writesTemporaryFile = output !== undefined || format === 'csv';
  const temporaryPath = writesTemporaryFile ? (part ?? makeTemporaryPath()) : undefined;
  return { source, output, cursorFile: cursor, temporaryPath, spreadsheet: flags.spreadsheet === true };
}

/**
 * The path of a temporary file in the state folder. In a shared folder such as /tmp, other users could read the file.
 */
function temporaryFileIn(stateFolder: string, random: string): string {
  ensurePrivateFolder(stateFolder);
  return join(stateFolder, `export-${random}.part`);
}

function report(invocation: Invocation<ExportFlags>, plan: ExportPlan, exported: { readonly contacts: number }): void {
  const { settings, context } = invocation;
  const { output, source } = plan;
  if (output === undefined) {
    return;
  }
  const summary = { object: 'export', audience: source.audience, format: source.format, ...exported, file: output };
  if (settings.output.json) {
    print(invocation, summary, () => '');
  } else if (!settings.output.quiet) {
    writeSentence(context, `${plural(exported.contacts, 'contact')} in ${terminalSafe(output)}`);
  }
}

function withResumeHint(
  error: unknown,
  cursorFile: string,
  { flags, argv, context }: Invocation<ExportFlags>,
): unknown {
  if (!(error instanceof SvcError) || error.exit === EXIT.usage || !existsSync(cursorFile)) {
    return error;
  }
  // Without --output, the output may have gone into a pipe or a file, so svc can't show the whole command.
  const hint =
    flags.output === undefined
      ? `Run the same command to resume (${terminalSafe(cursorFile)}).`
      : `To resume:\n${lineWithFlags('', argv, programName(context))}`;
  return rewordError(error, { hint });
}
