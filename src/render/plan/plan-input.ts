import type { ReportInput } from '../../migrate/types.ts';

/** An input as a plan shows it. */
export interface PlanInput extends ReportInput {
  /** How the platform was found: `recognised`, `as --from says`. */
  readonly recognised?: string;
}

/** An input of a report with how its platform was found. `from` is what --from says. */
export function planInput(input: ReportInput, from: string): PlanInput {
  const found = input.platform === 'generic' ? 'no platform recognised' : 'recognised';
  return { ...input, recognised: from === 'auto' ? found : 'as --from says' };
}
