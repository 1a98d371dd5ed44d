/** True while a file is read or written. A program that waits for the disk is not idle. */
export function readingFiles(): boolean {
  return process.getActiveResourcesInfo().some((name) => /^(FSReq|CloseReq)/.test(name));
}

/**
 * One turn of the event loop. If a file is being read, it ends once the disk has answered. Until then the process
 * sleeps: turn after turn would take more processor time than the program itself.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const turn = setImmediate(resolve);
    if (readingFiles()) {
      // The event loop doesn't wait for the next event while it has an immediate, unless that is unreferenced.
      turn.unref();
    }
  });
}
