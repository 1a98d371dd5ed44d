import type { Context } from '../../base/context.ts';
import { safe } from '../../base/lib/text.ts';
import type { Emulator } from '../../emulator/emulator.ts';
import type { Settings } from '../framework/settings/settings.ts';

/** An emulator, whose data may be from an earlier run, and the options given with it. */
interface KeptStore {
  readonly emulator: Emulator;
  readonly folder: string | undefined;
  readonly seed?: string | undefined;
}

/**
 * Data from an earlier run has its own plan and contents. Only `--plan` on the command line changes the plan. A seed is
 * ignored. A note says what was changed or ignored, except with --quiet.
 */
export function reconcileKeptStore(
  { emulator, folder, seed }: KeptStore,
  settings: Settings,
  { stderr }: Context,
): void {
  if (!emulator.isKept) {
    return;
  }
  const note = (text: string) => {
    if (!settings.output.quiet) {
      stderr.write(`note: the emulator's data in ${safe(folder ?? '')} was kept: ${text}\n`);
    }
  };
  const { value: plan, source } = settings.plan;
  const before = emulator.admin.state().plan;
  if (plan !== undefined && plan !== before) {
    if (source === 'flag') {
      emulator.admin.setPlan(plan);
    }
    note(
      source === 'flag' ? `its plan was ${before} and is ${plan} now (--plan)` : `its plan is ${before}, not ${plan}`,
    );
  }
  if (seed !== undefined) {
    note('--seed is ignored, a seed is for new data');
  }
}
