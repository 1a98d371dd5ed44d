import type { Client } from '../../api/client.ts';
import type { WindowLimits } from '../../api/rate-limit/sliding-window.ts';
import type { Context } from '../../base/context.ts';
import type { Emit, Phase } from '../../base/events.ts';
import { EXIT, type ExitCode, SvcError } from '../../base/lib/errors.ts';
import type { TypedAnswers } from '../../import/mapping/answers/outranked-answers.ts';
import type { ReadingOptions } from '../../import/mapping/reading-answers.ts';
import type { Table } from '../../import/mapping/table.ts';
import type { RunInputs } from '../../import/source/input-copies.ts';
import type { ContactLedger } from '../../ledgers/contact-ledger.ts';
import type { EarlierImport } from '../../runs/find/earlier-import.ts';
import type { Journal } from '../../runs/store/journal.ts';
import type { RunState, TypedCommand } from '../../runs/store/run-header.ts';
import type { CommandWithFlags, Questioner } from './questioner.ts';
import type { ImportOptions, RunOptions } from './run-options.ts';
import type { OutcomeCounts, RunReport, Verification } from './run-report.ts';
import type { RecordedWait } from './timeline.ts';

export interface RunAccount {
  readonly client: Client;
  /** The base URL, or `emulator:<store id>`. A run stays at its origin, and idempotency keys are derived from it. */
  readonly origin: string;
  /** A hash of the API key. It shows whether a resume uses the same key, and svc need not store the key. */
  readonly keyFingerprint: string;
  /** True for an emulator that ends together with this command. Then a run can't be resumed. */
  readonly isEphemeral: boolean;
}

/** The environment of a run: streams, clock, account, state folder, progress and questions. */
export interface RunContext extends Context {
  /** The account of the run. Undefined in a dry run without URL or key. */
  readonly account: RunAccount | undefined;
  /** Why a dry run could not use its account. The dry run then continues without the account. */
  readonly accountProblem: string | undefined;
  readonly stateFolder: string;
  /** The state folder as --state-dir or SVC_STATE_DIR names it. Undefined if that is an absolute path. */
  readonly relativeStateFolder: string | undefined;
  readonly emit: Emit;
  /** The waits of this process so far. The report shows them. */
  readonly recordedWaits: readonly RecordedWait[];
  /** How many requests a minute svc may send. The plan estimates its time from these limits. */
  readonly rateLimits: WindowLimits;
  /** How long to wait until another run at the same destination ends. */
  readonly lockWaitMs: number;
  /** The user's command line with further flags; in a resume, the recorded line. Undefined if no flag can be added. */
  readonly commandWith: CommandWithFlags | undefined;
  /** The user's command line with only some of its inputs. Undefined if `commandWith` is. */
  readonly commandForInputs: ((inputs: readonly string[]) => string) | undefined;
  /** The answers on the command line. Undefined in a resume and for `runs verify`: their answers are recorded. */
  readonly typedAnswers: TypedAnswers | undefined;
  /** The command line to record in the run. Undefined in a resume, and if the line has addresses of people. */
  typedCommand(): TypedCommand | undefined;
  /** Asks the user about stops. Undefined if questions are not possible. */
  readonly questioner: Questioner | undefined;
  /** True with --yes. The run stores the agreement, so a resume does not ask again (M7). */
  readonly isYesGiven: boolean;
  /** Called once the run is open, with its journal. */
  onOpened(journal: Journal): void;
  /** Shows the plan before anything is written. Returns false if the user declines. */
  confirm(planned: RunReport<OutcomeCounts>, audience: PlannedAudience | undefined): Promise<boolean>;
}

/**
 * Calls `work` with the account. If the account of a dry run does not respond or refuses the key, calls `work` again
 * without it. Then the checks that need the account are skipped, and `accountProblem` says why.
 */
export async function tryAccount<T>(
  { dryRun }: { readonly dryRun: boolean },
  context: RunContext,
  work: (context: RunContext) => Promise<T>,
): Promise<T> {
  try {
    return await work(context);
  } catch (error) {
    if (!dryRun || !context.account || !isAccountOrServiceError(error) || context.signal.aborted) {
      throw error;
    }
    return work({ ...context, account: undefined, accountProblem: error.message });
  }
}

/** True if the key, the network or the service caused the error. False if a flag caused it. */
export function isAccountOrServiceError(error: unknown): error is SvcError {
  return error instanceof SvcError && CAUSES.includes(error.exit);
}

const CAUSES: readonly number[] = [EXIT.auth, EXIT.failed, EXIT.stopped, EXIT.later];

/** The audience before the run. `contacts` is its number of contacts; undefined if the service does not show it. */
export interface PlannedAudience {
  readonly name: string;
  readonly contacts: number | undefined;
  /** True if the run will create the audience. */
  readonly isNew: boolean;
}

/** An open run: the run context with the options, the journal, and the files to read. */
export interface OpenRun<Options extends RunOptions = ImportOptions> extends RunContext {
  readonly options: Options;
  readonly journal: Journal;
  /** True if an earlier command began the run. */
  readonly resumed: boolean;
  /** The files that the run reads: its own copies, because the originals can change. A dry run reads the originals. */
  readonly inputCopies: RunInputs;
  /** How the earlier command of a resumed run ended. Undefined if it was killed. */
  readonly previousEnd: FinalState | undefined;
  /** Notes for the report of a resume: which input files changed since the run copied them (D5). */
  readonly changedInputs: readonly string[] | undefined;
  /**
   * Returns the last finished run that wrote this list, or an earlier version of it, to the same audience. Undefined if
   * this run is resumed. Call it after the survey, because a dry run does not know its list before.
   */
  findEarlierRun(): EarlierImport | undefined;
  /**
   * Returns answers of this command, together with those of the run that rejected the rows of an input. A resumed run
   * has recorded both.
   */
  addEarlierAnswers(reading: ReadingOptions): ReadingOptions;
  /** Notes each table that is a rejects file without earlier answers, once. Call it after the survey. */
  noteOtherRejects(tables: readonly Pick<Table, 'source' | 'svcColumns'>[]): void;
  /** The state of this process only. What a resume needs is in the journal. */
  readonly progress: RunProgress;
}

/** How a command of the run ended. `endedAt` is in milliseconds since the epoch. */
export type FinalState = Pick<RunState, 'status'> & { readonly exitCode: ExitCode; readonly endedAt: number };

interface RunProgress {
  phase: Phase;
  verification: Verification;
}

const PHASES_BEFORE_ENROLLMENTS: ReadonlySet<Phase> = new Set(['copy', 'survey', 'plan', 'first_batch', 'contacts']);

/** Adds `progress` to an opened run. Records each phase, because the report names the phase in which the run ended. */
export function withProgress<Opened extends Pick<OpenRun, 'emit' | 'journal'>>(opened: Opened) {
  const progress: RunProgress = { phase: 'survey', verification: { status: 'skipped', checks: [] } };
  const emit: Emit = (event) => {
    // The phase `report` is not recorded. Every run ends with it, so it would not show where the run stopped.
    if (event.type === 'phase' && event.phase !== 'report') {
      progress.phase = event.phase;
      // A resume runs the first phases again. But an enrollment in its last phase has sent all its contacts, and other
      // runs must know that (`audienceOfRest`). So the last phase stays recorded.
      if (opened.journal.state.phase !== 'enrollments' || !PHASES_BEFORE_ENROLLMENTS.has(event.phase)) {
        opened.journal.setPhase(event.phase);
      }
    }
    opened.emit(event);
  };
  return { ...opened, emit, progress };
}

/** Looks for new join automations while contacts are written, because they would mail the imported people (M3). */
export interface NewAutomationGuard {
  /** Reads the automations if the last read is at least 40 s old. Throws if a new one would mail imported people. */
  refuseNew(): Promise<void>;
  /** True if the last read is at least 60 s old. Then no batch may be sent before the next read. */
  isStale(): boolean;
  /** Called after the last batch. Reports new automations as a finding, because they may have mailed people. */
  noteNew(): Promise<void>;
}

export interface WriteContext
  extends Pick<OpenRun, 'journal' | 'clock' | 'emit' | 'signal' | 'randomHex' | 'commandWith' | 'stateFolder'> {
  readonly client: Client;
  readonly options: ImportOptions;
  /** The base URL, or `emulator:<store id>`. It is a part of each idempotency key. */
  readonly origin: string;
  readonly keyFingerprint: string;
  /** A random part for the idempotency keys of this run. Undefined if its keys depend only on the content. */
  readonly keySuffix: string | undefined;
  /** The contact ledger: what the audience last accepted of each person. Undefined if this machine has none. */
  readonly ledger: ContactLedger | undefined;
  /** The guard against new automations. Set only while svc writes contacts, because these start automations (M3). */
  readonly newAutomationGuard: NewAutomationGuard | undefined;
  /**
   * Marks the other unfinished runs of the audience as overtaken, once for each process (G10). Called before the first
   * byte of a contact request. Undefined for a run that overtakes no other run, such as an enrollment.
   */
  readonly overtake: (() => void) | undefined;
  /**
   * The id of this list in the contact ledger. Undefined without --only-changed, --full and --gone, and for a rejects
   * file of a list that the ledger does not know. Then no person is added to the ledger.
   */
  readonly ledgerListId: number | undefined;
}

/** The name of a note in run.db: true if this run uses idempotency keys of its own, although no flag asks for it. */
export const OWN_KEYS_NOTE = 'own_keys';

/**
 * The name of a note in run.db: true once contacts are sent under idempotency keys of this run only. Enrollments keep
 * their keys, because a new key would mail a person again (M5).
 */
export const OWN_CONTACT_KEYS_NOTE = 'own_contact_keys';

/** Makes the write context of a run. Throws without an account. */
export function writeContextOf(run: OpenRun<RunOptions>, options: ImportOptions): WriteContext {
  const { account, journal, clock, emit, signal, randomHex, commandWith, stateFolder } = run;
  if (!account) {
    throw new SvcError(EXIT.usage, 'no_base_url', 'no base URL is set, so there is no account to write to');
  }
  const { client, origin, keyFingerprint } = account;
  // With idempotency keys of its own, a run makes the service write again instead of replaying an old response. The
  // options `again` and `changes` ask for own keys (G5). So does the note OWN_KEYS_NOTE. svc sets this note in three
  // cases: the last run of this list failed a comparison (C1), a newer list overtook that run (G10), or other content
  // was written since this list was last sent (I7).
  const keySuffix =
    options.again || options.changes || journal.readNote(OWN_KEYS_NOTE)
      ? recordedRandomHex(run, 'again', 8)
      : undefined;
  const shared = { journal, clock, emit, signal, randomHex, commandWith, stateFolder, client, origin, keyFingerprint };
  const absent = { ledger: undefined, newAutomationGuard: undefined, overtake: undefined, ledgerListId: undefined };
  return { ...shared, options, keySuffix, ...absent };
}

type HexSource = Pick<OpenRun, 'journal' | 'randomHex'>;

/** Random hex digits that run.db stores under a name, so that a resume uses the same digits. */
export function recordedRandomHex({ journal, randomHex }: HexSource, name: string, length: number): string {
  const recorded = journal.readNote(name);
  if (typeof recorded === 'string') {
    return recorded;
  }
  const hex = randomHex(length);
  journal.writeNote(name, hex);
  return hex;
}
