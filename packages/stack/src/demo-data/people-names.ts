/** First names from many countries. */
export const FIRST_NAMES = namesOf(`
  Ada Amara Anders Anjali Bruno Carla Chidi Clara Daniel Elif Elena Emil Farah Felix Fiona Greta Hanna
  Hiro Ida Ines Jonas Julia Kaito Karim Lea Lina Luca Malik Marta Mei Milan Nadia Nils Noor Olga Omar
  Paula Pavel Priya Rafael Rosa Samir Sofia Tariq Thea Viktor Yara Zoe
`);

export const LAST_NAMES = namesOf(`
  Abbasi Andersson Bauer Becker Bianchi Costa Dubois Eriksen Fischer Garcia Haddad Horvat Ito Jansen
  Kaya Keller Kim Kowalska Krüger Lefèvre Lindqvist Marino Meyer Moreau Nakamura Novák Nwosu Okafor
  Olsen Papadakis Patel Petrov Ramos Rossi Santos Sato Schmidt Silva Singh Sørensen Tanaka Torres
  Vogel Weber Wójcik Yilmaz Zhang Zimmermann
`);

function namesOf(text: string): readonly [string, ...string[]] {
  return text.trim().split(/\s+/) as [string, ...string[]]; // there are some above
}
