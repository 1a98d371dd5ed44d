import type { FailureLimit, ImportOptions, RunOptions } from '../migrate/options.ts';

/** The command name in the header of these runs. */
export const ENROLL = 'automations enroll';

/** Everything that decides what an enrollment does. */
export interface EnrollOptions extends RunOptions {
  readonly command: typeof ENROLL;
  readonly automationId: string;
  /** Addresses of --email, in canonical form. */
  readonly emails: readonly string[];
  /** Upserts the people as contacts of the flow's audience before they are enrolled. */
  readonly createContacts: boolean;
  /** Never repeats a request with an unknown outcome. */
  readonly atMostOnce: boolean;
  /** Enrolls people again who are in the ledger, with new idempotency keys. */
  readonly reenroll: boolean;
  readonly allowAutomations: readonly string[];
  readonly maxNewFields: number;
  readonly maxFailures: FailureLimit;
  readonly plan: 'free' | 'paid' | undefined;
  readonly concurrency: number;
}

/** The options of the contact import that --create-contacts runs. */
export function contactOptions(options: EnrollOptions, audienceId: string | undefined): ImportOptions {
  const { inputs, reading, automationId, maxNewFields, maxFailures, plan, concurrency, dryRun } = options;
  return {
    command: 'contacts import',
    inputs,
    reading,
    target: { id: audienceId, create: false },
    // These people are enrolled in this automation. If it also started as they join, it would mail them twice (M3).
    allowAutomations: options.allowAutomations.filter((id) => id !== automationId),
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
