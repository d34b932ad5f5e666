import { Segments } from '../../ui/Segments.tsx';
import { texts } from '../../ui/texts.ts';
import { LEVELS, type Level } from './map/levels.ts';

const CHOICES = LEVELS.map((id) => ({ id, words: texts.map.levels[id] }));

/** How close the devices are seen. */
export function LevelChoice({ level, choose }: { level: Level; choose(level: Level): void }) {
  return <Segments label={texts.map.level} choices={CHOICES} value={level} onChange={choose} />;
}
