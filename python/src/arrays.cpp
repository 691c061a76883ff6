/* numpy arrays in and out. An array of the right type and layout is used in place; numpy converts
 * all others. */
#include "core.h"

#include <cstring>
#include <functional>

using Block = nb::ndarray<double, nb::c_contig, nb::device::cpu>;
using ConstBlock = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

static nb::object numpy(const char *name)
{
    return nb::module_::import_("numpy").attr(name);
}

static nb::tuple tuple_of(const Shape &shape)
{
    nb::list list;
    for (const size_t n : shape) {
        list.append(n);
    }
    return nb::tuple(list);
}

template <typename Array> static bool has_shape(const Array &array, const Shape &shape)
{
    bool same = array.ndim() == shape.size();
    for (size_t i = 0; same && i < shape.size(); i++) {
        same = array.shape(i) == shape[i];
    }
    return same;
}

/* Whether the last axes of `shape` are those of the array: no axis is stretched. */
static bool has_last_axes(nb::handle array, const Shape &shape, bool single)
{
    const nb::tuple own = nb::borrow<nb::tuple>(array.attr("shape"));
    const size_t axes = nb::len(own);
    bool same = axes <= shape.size() && (axes > 0 || single);
    for (size_t i = 0; same && i < axes; i++) {
        same = nb::cast<size_t>(own[i]) == shape[shape.size() - axes + i];
    }
    return same;
}

static std::string text_of(const Shape &shape)
{
    return nb::cast<std::string>(nb::str(tuple_of(shape)));
}

In take(nb::handle values, const Shape &shape, const char *name, bool single)
{
    ConstBlock block;
    if (nb::try_cast<ConstBlock>(values, block, false) && has_shape(block, shape)) {
        return {nb::borrow(values), block.data(), block.size()};
    }
    nb::object array = numpy("asarray")(values, numpy("float64"));
    if (!has_last_axes(array, shape, single)) {
        const nb::object given = array.attr("shape");
        const std::string text = std::string(name) + ": an array of shape " + text_of(shape) +
                                 " is needed, not " + nb::cast<std::string>(nb::str(given));
        throw nb::value_error(text.c_str());
    }
    array = numpy("ascontiguousarray")(numpy("broadcast_to")(array, tuple_of(shape)));
    block = nb::cast<ConstBlock>(array);
    return {array, block.data(), block.size()};
}

Out place(nb::handle out, const Shape &shape)
{
    nb::object array = out.is_none() ? numpy("empty")(tuple_of(shape)) : nb::borrow(out);
    Block block;
    if (!nb::try_cast<Block>(array, block, false) || !has_shape(block, shape)) {
        const std::string text =
            "out: a writable C-contiguous float64 array of shape " + text_of(shape) + " is needed";
        throw nb::value_error(text.c_str());
    }
    return {array, block.data(), block.size()};
}

void keep_apart(In &in, const Out &out)
{
    const std::less<const double *> before;
    if (before(in.data, out.data + out.count) && before(out.data, in.data + in.count)) {
        const Out own = place(nb::none(), {in.count});
        std::memcpy(own.data, in.data, in.count * sizeof *own.data);
        in = {own.array, own.data, in.count};
    }
}

nb::object copied(const double *values, size_t count)
{
    Out out = place(nb::none(), {count});
    std::memcpy(out.data, values, count * sizeof *values);
    return out.array;
}
