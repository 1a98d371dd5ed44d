/** True while a file or a compressed stream is read or written. A program that waits for the disk is not idle. */
export function readingFiles(): boolean {
  return process.getActiveResourcesInfo().some((name) => /^(FSReq|FILEHANDLE|CloseReq|Zlib)/.test(name));
}
