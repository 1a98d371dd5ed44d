import { rmSync } from 'node:fs';
import type { Client } from '../../api/client.ts';
import { ApiError } from '../../api/http/api-error.ts';
import { listContactPages } from '../../api/resources/contacts.ts';
import type { OutputStream } from '../../base/context.ts';
import type { Emit } from '../../base/events.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { EXIT, SvcError } from '../../base/lib/errors.ts';
import { shellFile } from '../../base/lib/text.ts';
import { MAX_PASSES } from '../../contacts-check/read-audience.ts';
import { type AddressHashSet, createAddressHashSet } from '../../import/dedupe/address-hash-set.ts';
import { contactsIn } from './export-csv.ts';
import { deleteCursor, type ExportCursor, isCursorRecent, newCursor, readCursor, saveCursor } from './export-cursor.ts';
import { beginOutput, type ExportPlan, finishOutput, writePage } from './export-output.ts';

interface ExportContext {
  readonly client: Client;
  readonly stdout: OutputStream;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  readonly clock: Clock;
  /** How many contacts of any status the service counted before. Undefined if it shows no count. */
  readonly total: number | undefined;
  /** Asks the service for this count again. Undefined if svc can't get it. */
  recount(): Promise<number | undefined>;
  randomHex(length: number): string;
  note(text: string): void;
}

interface ExportCounts {
  /** How many contacts were exported. */
  readonly contacts: number;
  /** How many of these contacts came from an earlier, interrupted command. */
  readonly resumed: number;
  /** How many contacts of any status the service listed. */
  readonly listed: number;
  /** False if the service listed fewer contacts than it counted before, so that people may be missing (V2). */
  readonly isComplete: boolean;
}

/**
 * Writes an audience page by page, with a cursor file from which an interrupted export continues. The output gets its
 * final name once it is complete. Starts over if the earlier pages are an hour old, because people may have opted out
 * since (V2). Also starts over if the service does not know the cursor any more.
 */
export async function writeExport(plan: ExportPlan, context: ExportContext): Promise<ExportCounts> {
  const { cursorFile, source } = plan;
  const earlierCursor = cursorFile === undefined ? undefined : readCursor(cursorFile, source);
  const isOld = earlierCursor !== undefined && !isCursorRecent(earlierCursor, context.clock.now());
  try {
    if (isOld) {
      startOver(plan, context, 'the export was interrupted more than an hour ago');
    }
    return await readAndWrite(plan, context, isOld ? undefined : earlierCursor);
  } catch (error) {
    if (!(error instanceof CursorRefused)) {
      throw error;
    }
    startOver(plan, context, 'the service no longer knows how far the export was');
    return await readAndWrite(plan, context, undefined);
  } finally {
    if (plan.cursorFile === undefined && plan.temporaryPath !== undefined) {
      rmSync(plan.temporaryPath, { force: true });
    }
  }
}

/** Prepares to start over, and says why. Throws if contacts went to stdout, because svc can't take them back. */
function startOver({ temporaryPath, cursorFile }: ExportPlan, { note }: ExportContext, why: string): void {
  if (temporaryPath === undefined) {
    throw new SvcError(EXIT.usage, 'cursor_expired', `${why}, so it must start over`, {
      hint: `Delete what was printed before. Then run the same command after:\nrm ${shellFile(cursorFile ?? '')}`,
    });
  }
  deleteCursor(cursorFile);
  note(`Starting over, because ${why}. The audience may have changed since.`);
}

/** Thrown if the service refuses the cursor that an earlier process stored. */
class CursorRefused extends Error {}

/** One reading of the audience, from its first page to its last one. */
interface Pass {
  readonly cursor: ExportCursor;
  /** The ids of the contacts that were listed. A contact on two pages counts once (V2). */
  readonly ids: AddressHashSet;
  /** The ids of the contacts that were written, or left out by --status. On stdout, also those of earlier passes. */
  readonly written: AddressHashSet;
  /** True if this process began the pass. */
  readonly isNew: boolean;
}

/**
 * Reads the audience, and writes it. If the service lists fewer contacts than it counted before, pages may have shifted
 * meanwhile, and a person may be on none. So svc reads again, up to three times in all (V2). It also stops if another
 * pass changes nothing: then the service hides people from its list.
 */
async function readAndWrite(
  plan: ExportPlan,
  context: ExportContext,
  earlierCursor: ExportCursor | undefined,
): Promise<ExportCounts> {
  // What earlier processes wrote to stdout is not known here. So another pass would write all contacts again.
  const canReadAgain = plan.temporaryPath !== undefined || plan.cursorFile === undefined;
  let pass = await firstPass(plan, context, earlierCursor);
  let before: ExportCursor | undefined;
  for (;;) {
    pass = { ...pass, cursor: await readPass(plan, context, pass) };
    const { cursor } = pass;
    const { expected = 0, listed = cursor.contacts } = cursor;
    const counts = { contacts: cursor.contacts, resumed: pass.isNew ? 0 : (earlierCursor?.contacts ?? 0), listed };
    if (plan.temporaryPath === undefined && context.stdout.closed) {
      return { ...counts, isComplete: true };
    }
    const isComplete = listed >= expected;
    const isUnchanged = before?.listed === listed && before.expected === expected;
    const isLast = isComplete || !canReadAgain || isUnchanged || (cursor.pass ?? 1) >= MAX_PASSES;
    const counted = isLast ? undefined : await context.recount();
    if (counted === undefined) {
      await finishOutput(plan, context.stdout);
      deleteCursor(plan.cursorFile);
      return { ...counts, isComplete };
    }
    before = cursor;
    pass = nextPass(plan, context, pass, counted);
  }
}

async function firstPass(
  plan: ExportPlan,
  { total, randomHex }: ExportContext,
  earlierCursor: ExportCursor | undefined,
): Promise<Pass> {
  beginOutput(plan, earlierCursor);
  const ids = createAddressHashSet(randomHex(16));
  if (earlierCursor !== undefined && plan.temporaryPath !== undefined) {
    for await (const { id } of contactsIn(plan.temporaryPath)) {
      ids.add(String(id));
    }
  }
  const cursor = earlierCursor ?? newCursor(plan.source, 1, total);
  return { cursor, ids, written: ids, isNew: earlierCursor === undefined };
}

/** Begins another pass. Its contacts replace those of the part file. On stdout, svc adds only further contacts. */
function nextPass(plan: ExportPlan, context: ExportContext, { cursor, written }: Pass, counted: number): Pass {
  context.note('Reading the audience again, because fewer contacts were listed than the service counted.');
  const next = newCursor(plan.source, (cursor.pass ?? 1) + 1, counted);
  deleteCursor(plan.cursorFile);
  beginOutput(plan, undefined);
  const ids = createAddressHashSet(context.randomHex(16));
  return plan.temporaryPath === undefined
    ? { cursor: { ...next, contacts: cursor.contacts }, ids, written, isNew: true }
    : { cursor: next, ids, written: ids, isNew: true };
}

/** Reads the pages of a pass from its cursor on, and returns the cursor after the last page. */
async function readPass(
  plan: ExportPlan,
  context: ExportContext,
  { cursor: start, ids, written, isNew }: Pass,
): Promise<ExportCursor> {
  const { source, cursorFile, temporaryPath } = plan;
  const { stdout, emit, clock } = context;
  let cursor = start;
  const total = source.status === null ? (isNew && cursor.expected) || context.total : undefined;
  emit({ type: 'phase', phase: 'export', total, done: cursor.contacts, unit: 'rows' });
  const isRead = !isNew && cursor.after === null;
  for await (const { items, nextCursor: next } of isRead ? [] : listFrom(cursor, plan, context)) {
    const fresh = items.filter(({ id }) => !ids.add(id));
    const unwritten = written === ids ? fresh : fresh.filter(({ id }) => !written.add(id));
    const found = source.status === null ? unwritten : unwritten.filter(({ status }) => status === source.status);
    const bytes = writePage(found, temporaryPath, stdout);
    if (temporaryPath === undefined && stdout.closed) {
      // The reader closed the pipe (D3). This page did not arrive, so the cursor does not move.
      return cursor;
    }
    const contacts = cursor.contacts + found.length;
    const listed = (cursor.listed ?? cursor.contacts) + fresh.length;
    cursor = { ...cursor, after: next ?? null, contacts, listed, bytes, at: clock.now() };
    if (cursorFile !== undefined) {
      saveCursor(cursorFile, cursor);
    }
    emit({ type: 'progress', phase: 'export', done: cursor.contacts });
  }
  return cursor;
}

async function* listFrom({ after }: ExportCursor, { source }: ExportPlan, { client, signal }: ExportContext) {
  let isFirst = true;
  try {
    for await (const page of listContactPages(client, source.audience, { after: after ?? undefined, signal })) {
      isFirst = false;
      yield page;
    }
  } catch (error) {
    const isOldCursor = isFirst && after !== null && error instanceof ApiError && error.status === 400;
    throw isOldCursor ? new CursorRefused('the cursor is old', { cause: error }) : error;
  }
}
