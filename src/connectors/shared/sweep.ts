/**
 * Whether a listing of all ids is due again.
 * With 0 hours always: the two times come from a server's clock to the second, and may seem to run backwards.
 */
export function isSweepDue(sweptAt: string | null, hours: number, now: Date): boolean {
  return sweptAt === null || hours === 0 || now.getTime() - Date.parse(sweptAt) >= hours * 3_600_000;
}
