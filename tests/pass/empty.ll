; A module without functions is marked all the same.
@p = global i32 0
