import type { Context } from '../../base/context.ts';
import { safe } from '../../base/lib/text.ts';
import type { Emulator } from '../../emulator/emulator.ts';
import type { Settings } from '../framework/settings/settings.ts';

/** A store that may have been there before, and what stood on the line beside it. */
interface Opening {
  readonly emulator: Emulator;
  readonly folder: string | undefined;
  readonly seed?: string | undefined;
}

/**
 * A store that was kept has its own plan and contents: only `--plan` on the line changes the plan, and a seed is not applied.
 * A note says what was changed or ignored; none comes with --quiet.
 */
export function settleKeptStore({ emulator, folder, seed }: Opening, settings: Settings, { stderr }: Context): void {
  if (!emulator.isKept) {
    return;
  }
  const say = (text: string) => {
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
    say(
      source === 'flag' ? `its plan was ${before} and is ${plan} now (--plan)` : `its plan is ${before}, not ${plan}`,
    );
  }
  if (seed !== undefined) {
    say('--seed is ignored, a seed is for new data');
  }
}
