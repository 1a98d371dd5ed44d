import { isState, type StatusReading } from '../../../platforms/lib/states.ts';

/**
 * The state in a cell of the column svc_state of a rejects file. Undefined if the cell is empty; then the other cells
 * decide.
 */
export function readSvcState(cell: string): StatusReading | undefined {
  const word = cell.trim().toLowerCase();
  if (word === '' || word === 'none') {
    return undefined;
  }
  return isState(word)
    ? { state: word, why: word === 'skip' ? 'by_request' : undefined }
    : { state: 'none', unknown: cell };
}
