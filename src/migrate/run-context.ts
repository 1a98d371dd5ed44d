import type { Client } from '../api/client.ts';
import type { WindowLimits } from '../api/rate-limit/sliding-window.ts';
import type { Context } from '../base/context.ts';
import type { Emit, Phase } from '../base/events.ts';
import { SvcError } from '../base/lib/errors.ts';
import { EXIT, type ExitCode } from '../base/lib/exit.ts';
import type { HeldInputs } from '../import/source/input-copy.ts';
import type { ContactLedger } from '../runs/contact-ledger.ts';
import type { Journal } from '../runs/store/journal.ts';
import type { RunState } from '../runs/store/run-header.ts';
import type { ImportOptions, RunOptions } from './options.ts';
import type { Retype } from './plan/commands-for-stops.ts';
import type { Question } from './plan/questions.ts';
import type { OutcomeCounts, RunReport, Verification } from './report/run-report.ts';
import type { RecordedWait } from './report/timeline.ts';

export interface RunAccount {
  readonly client: Client;
  /** Base URL, or `emulator:<store id>`. Runs are bound to it and idempotency keys are derived from it. */
  readonly origin: string;
  /** Shows whether two API keys are the same, nothing more. */
  readonly keyFingerprint: string;
  /** True for an emulator that ends with this command. Then nothing can be resumed. */
  readonly ephemeral: boolean;
}

/** The options that answers can change. Each answer does what a flag would do. */
export type AnsweredOptions = Pick<
  ImportOptions,
  'reading' | 'allowAutomations' | 'maxNewFields' | 'maxFailures' | 'plan'
>;

export interface Questioner {
  /** Returns the flags of the answers. Throws if the user cancels the questions. */
  ask(questions: readonly Question[]): Promise<readonly string[]>;
  /** The options with all answers so far. */
  options(): Partial<AnsweredOptions>;
  /** Called after the answers lifted all stops: shows the command that does the same without questions. */
  finish(): Promise<void>;
}

/** The environment of a run: streams, clock, account, state folder, progress and questions. */
export interface RunContext extends Context {
  /** Undefined in a dry run without URL and key. */
  readonly account: RunAccount | undefined;
  /** Why the account was not queried, if one was given. */
  readonly notAskedBecause?: string | undefined;
  readonly state: string;
  readonly emit: Emit;
  readonly waits: readonly RecordedWait[];
  /** The share of the rate limit, for the estimate of the plan. */
  readonly budget: WindowLimits;
  /** How long to wait for another run at the same destination. */
  readonly waitMs: number;
  /** Adds flags to the command line. Undefined if the line cannot be repeated with flags, as in a resume. */
  readonly retype: Retype | undefined;
  /** Asks the user about stops. Undefined if questions are not possible. */
  readonly questioner: Questioner | undefined;
  /** True if --yes was given. The run records it for its resumes (M7). */
  readonly agreed: boolean;
  /** Shows the plan before anything is written. Returns false if the user declines. */
  confirm(planned: RunReport<OutcomeCounts>, audience: PlannedAudience | undefined): Promise<boolean>;
}

/**
 * Runs `work` with the account. A dry run accepts an account that does not respond or refuses the key, because it ends
 * with 0, 5 or 2. Then `work` runs without the account, and `notAskedBecause` gives the reason for the skipped checks.
 */
export async function askAccount<T>(
  { dryRun }: { readonly dryRun: boolean },
  context: RunContext,
  work: (context: RunContext) => Promise<T>,
): Promise<T> {
  try {
    return await work(context);
  } catch (error) {
    if (!dryRun || !context.account || !isOfAccount(error) || context.signal.aborted) {
      throw error;
    }
    return work({ ...context, account: undefined, notAskedBecause: error.message });
  }
}

/** True for an error that the key, the network or the service caused. False for an error that a flag caused. */
export function isOfAccount(error: unknown): error is SvcError {
  return error instanceof SvcError && CAUSES.includes(error.exit);
}

const CAUSES: readonly number[] = [EXIT.auth, EXIT.failed, EXIT.stopped, EXIT.later];

/** The audience of a plan, as it is before the run. `contacts` is undefined if the service shows no count. */
export interface PlannedAudience {
  readonly name: string;
  readonly contacts: number | undefined;
  /** True if the run will create it. */
  readonly isNew: boolean;
}

/** An open run: the run context with the options, the journal, and the files to read. */
export interface OpenRun<Options extends RunOptions = ImportOptions> extends RunContext {
  readonly options: Options;
  readonly journal: Journal;
  /** True if an earlier command began the run. */
  readonly resumed: boolean;
  /** The files that the run reads: its own copies, except in a dry run. */
  readonly inputCopies: Pick<HeldInputs, 'files' | 'confirm'>;
  /** How a resumed run ended before. Undefined if it was killed. */
  readonly previousEnd?: FinalState | undefined;
  /** Notes of the report about originals of a resumed run that have changed (D5). */
  readonly changedInputs?: readonly string[] | undefined;
  /** The last finished run of the same list and destination. Undefined if this run is resumed. */
  readonly finishedBefore?: string | undefined;
  /** The only part that changes during the run. Everything permanent is in the journal. */
  readonly progress: RunProgress;
}

export type FinalState = Pick<RunState, 'status'> & { readonly exitCode: ExitCode; readonly endedAt: number };

interface RunProgress {
  phase: Phase;
  verification: Verification;
}

/** Adds the progress to an opened run. Each phase that the run emits is recorded, so a report can name it. */
export function withProgress<Opened extends Pick<OpenRun, 'emit' | 'journal'>>(opened: Opened) {
  const progress: RunProgress = { phase: 'survey', verification: { status: 'skipped', checks: [] } };
  const emit: Emit = (event) => {
    // The report names the phase in which the run ended. The phase `report` is not recorded, because every run ends
    // with it.
    if (event.type === 'phase' && event.phase !== 'report') {
      progress.phase = event.phase;
      opened.journal.setPhase(event.phase);
    }
    opened.emit(event);
  };
  return { ...opened, emit, progress };
}

/** Looks for new flows while contacts are written. Several requests use it at once. */
export interface FlowGuard {
  /** Reads the automations if that was 40 s ago. Stops the run if a new one would mail the imported people (M3). */
  refuseNew(): Promise<void>;
  /** True if the automations were read more than 60 s ago. */
  isStale(): boolean;
  /** Records new flows after the last batch, as a finding of the report: they may have mailed people. */
  noteNew(): Promise<void>;
}

export interface WriteContext extends Pick<OpenRun, 'journal' | 'clock' | 'emit' | 'signal' | 'randomHex' | 'retype'> {
  readonly client: Client;
  readonly options: ImportOptions;
  /** Base URL or emulator store: the first half of every destination. */
  readonly origin: string;
  readonly keyFingerprint: string;
  /** The recorded random suffix of a run with its own keys. */
  readonly again: string | undefined;
  /** The ledger of what the service last accepted in the audience, if this machine has one. */
  readonly ledger?: ContactLedger | undefined;
  /** Set while contacts are written: some of them may start a flow (M3). */
  readonly flowGuard?: FlowGuard | undefined;
  /** The list of this run in the ledger. Undefined without --only-changed: then the ledger gets no new people. */
  readonly list?: number | undefined;
}

/** A note in the journal: the run uses its own keys, although no flag asks for them. */
export const OWN_KEYS = 'own_keys';

/** Prepares a run to write with the options of an import. Throws without an account. */
export function writeContextOf(run: OpenRun<RunOptions>, options: ImportOptions): WriteContext {
  const { account, journal, clock, emit, signal, randomHex, retype } = run;
  if (!account) {
    throw new SvcError(EXIT.usage, 'no_base_url', 'no account to write to');
  }
  const { client, origin, keyFingerprint } = account;
  // --again uses new keys on purpose, and so does --only-changed: a replay would not write later changes (G5). OWN_KEYS
  // is noted if the last run of the list failed a comparison or was overtaken (C1, G10), or if another run has replaced
  // content that a replay would not write again (I7).
  const again = options.again || options.changes || journal.read(OWN_KEYS) ? recordedHex(run, 'again', 8) : undefined;
  return { client, origin, keyFingerprint, journal, clock, emit, signal, randomHex, retype, options, again };
}

/** A random text of the run. It is recorded, so a resume uses the same text. */
export function recordedHex(
  { journal, randomHex }: Pick<OpenRun, 'journal' | 'randomHex'>,
  name: string,
  length: number,
): string {
  const recorded = journal.read(name);
  if (typeof recorded === 'string') {
    return recorded;
  }
  const made = randomHex(length);
  journal.note(name, made);
  return made;
}
