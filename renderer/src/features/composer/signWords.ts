import { findIcon, ICONS, iconWireName, type Icon } from '#shared/screen/icons.ts';
import { texts } from '../../ui/texts.ts';

/** A sign for people: `No smoking`. What is no sign stands as it is. */
export function signName(icon: string): string {
  const sign = findIcon(icon);
  return sign === undefined ? icon : signTitle(sign);
}

export function signTitle({ name }: Icon): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The signs that have every word of a search: in their name, in what else they are called, or as callers write them. */
export function findSigns(search: string): readonly Icon[] {
  const words = search
    .toLowerCase()
    .split(/[\s-]+/)
    .filter((word) => word !== '');
  if (words.length === 0) return ICONS;
  return ICONS.filter((icon) => {
    const known = `${icon.name.replaceAll('-', ' ')} ${texts.signs.also[icon.name] ?? ''}`.toLowerCase();
    // The case of a character after `hazard` counts: it is another sign.
    return iconWireName(icon) === search.trim() || words.every((word) => known.includes(word));
  });
}
