/** A line of a batch that is to be picked. `rack`: undefined: it is on none. */
export type JoinLine = { rack: string | undefined };

/**
 * The lines that a person who joins gets: whole racks from the end of the walk, up to half of these lines. A rack with more lines is
 * skipped; a line on no rack counts as a rack. If no rack fits, the later half of the lines. `lines`: of one person, in walking order.
 */
export function linesToJoin<Line extends JoinLine>(lines: readonly Line[]): Line[] {
  const most = Math.floor(lines.length / 2);
  const racks = [...Map.groupBy(lines, (line) => line.rack ?? line).values()].toReversed();
  const given = new Set<Line>();
  for (const rack of racks) if (given.size + rack.length <= most) for (const line of rack) given.add(line);
  return given.size > 0 ? lines.filter((line) => given.has(line)) : lines.slice(lines.length - most);
}
