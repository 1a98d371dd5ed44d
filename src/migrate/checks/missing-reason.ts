import type { Finding } from '../../import/survey-types.ts';
import { SUPPRESSION_REASONS } from '../../wire/words.ts';
import type { ImportOptions } from '../options.ts';

const EVERY_ROW = `Say why they are suppressed: ${SUPPRESSION_REASONS.map((reason) => `--reason ${reason}`).join(', or ')}`;
const ONE_FILE = 'For one file of several: --default-status <file>=<bounced|complained|suppressed>';

/** What `suppressions import` lacks where rows hold no state is a reason. */
export function missingReason(finding: Finding, { command, inputs }: ImportOptions): Finding {
  const isSilence = finding.check === 'no_status' && finding.level === 'stop';
  if (command !== 'suppressions import' || !isSilence) {
    return finding;
  }
  return { ...finding, hint: inputs.length > 1 ? `${EVERY_ROW}. ${ONE_FILE}` : EVERY_ROW };
}
