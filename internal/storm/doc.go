// Package storm has no code of its own. Its tests call every exported method of the platform, of
// its areas and of their handles with random arguments, also those that HTTP cannot carry, by
// every kind of caller, and hold what comes of it to four rules: nothing panics, every error is a
// *twinplatform.Error, its code is documented, and what was stored can be exported, seeded and
// exported again to the byte.
package storm
