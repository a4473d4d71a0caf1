package postgres

// Encode and Decode are how values are stored.
var Encode, Decode = encode, decode

// Newest is the number of the dictionary by which values are written.
const Newest = newest
