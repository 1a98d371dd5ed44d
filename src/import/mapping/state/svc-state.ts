import { isState, type StatusReading } from '../../../platforms/lib/states.ts';

/** The words that svc_state takes, for messages. */
export const SVC_STATE_WORDS = 'unsubscribed, suppressed, bounced, complained, pending, skip or subscribed';

/** The `unknownIndex` of an unknown word in svc_state, which is no column of the list. */
export const IN_SVC_STATE = -1;

/**
 * The state in a cell of the column svc_state of a rejects file. Undefined if the cell is empty or says `none`; then
 * the other cells decide. No answer of `--status-map` explains an unknown word there, because the user wrote this word
 * and can correct it.
 */
export function readSvcState(cell: string): StatusReading | undefined {
  const word = cell.trim().toLowerCase();
  if (word === '' || word === 'none') {
    return undefined;
  }
  return isState(word)
    ? { state: word, why: word === 'skip' ? 'by_request' : undefined }
    : { state: 'none', unknown: cell.trim(), unknownIndex: IN_SVC_STATE };
}
