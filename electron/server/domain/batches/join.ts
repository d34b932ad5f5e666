/** A line of a batch that still has to be picked. `rack` is undefined if the place is not on a rack. */
export type JoinLine = { rack: string | undefined };

/**
 * Chooses lines to hand over to a person who joins: whole racks from the end of the walk, up to half of the lines. Skips racks that would
 * exceed this half; a line without a rack counts as its own rack. If no rack fits, returns the later half. `lines` belong to one person, in
 * walking order.
 */
export function linesToJoin<Line extends JoinLine>(lines: readonly Line[]): Line[] {
  const most = Math.floor(lines.length / 2);
  const racks = [...Map.groupBy(lines, (line) => line.rack ?? line).values()].toReversed();
  const given = new Set<Line>();
  for (const rack of racks) if (given.size + rack.length <= most) for (const line of rack) given.add(line);
  return given.size > 0 ? lines.filter((line) => given.has(line)) : lines.slice(lines.length - most);
}
