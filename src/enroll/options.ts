import type { ReadingOptions } from '../import/types.ts';
import type { FailureLimit, ImportOptions } from '../migrate/options.ts';

/** The command of such runs, as their headers keep it. */
export const ENROLL = 'automations enroll';

/** Everything that decides what an enrolment does: plain data, kept in run.db so that a resume does the same. */
export interface EnrollOptions {
  readonly command: typeof ENROLL;
  readonly automationId: string;
  readonly inputs: readonly string[];
  /** Addresses of --email, in canonical form. */
  readonly emails: readonly string[];
  readonly reading: ReadingOptions;
  /** Upserts the people as contacts of the flow's audience before they are enrolled. */
  readonly createContacts: boolean;
  /** Never repeats a request in doubt. */
  readonly atMostOnce: boolean;
  /** Enrols people again whom the ledger knows, under new keys. */
  readonly reenroll: boolean;
  readonly allowAutomations: readonly string[];
  readonly maxNewFields: number;
  readonly maxFailures: FailureLimit;
  readonly plan: 'free' | 'paid' | undefined;
  readonly concurrency: number;
  readonly dryRun: boolean;
}

/** The import of contacts that --create-contacts stands for; nobody looks at it but the stages of an import. */
export function contactOptions(options: EnrollOptions, audienceId: string | undefined): ImportOptions {
  const { inputs, reading, allowAutomations, maxNewFields, maxFailures, plan, concurrency, dryRun } = options;
  return {
    command: 'contacts import',
    inputs,
    reading,
    target: { id: audienceId, create: false },
    allowAutomations,
    explicitStatus: false,
    maxNewFields,
    maxFailures,
    plan,
    concurrency,
    verify: false,
    verifySample: 0,
    dryRun,
    again: options.reenroll,
  };
}
