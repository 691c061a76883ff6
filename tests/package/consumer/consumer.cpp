// Riccatree from C++17: unique_ptr owns the handles, errors are thrown.
#include <riccatree/riccatree.h>

#include <iostream>
#include <memory>
#include <stdexcept>

namespace
{

using model_handle = std::unique_ptr<rct_model, decltype(&rct_model_free)>;

model_handle two_rods()
{
    rct_error error{};
    model_handle model(rct_model_create("two-rods", &error), rct_model_free);
    if (!model) {
        throw std::runtime_error(error.text);
    }
    for (int32_t i = 0; i < 2; i++) {
        rct_body rod = rct_body_default();
        rod.parent = i == 0 ? RCT_GROUND : i - 1;
        rod.hinge_at[2] = i == 0 ? 10.0 : -1.0;
        rod.mass = 1.0;
        rod.com[2] = -0.5;
        rod.inertia[0] = rod.inertia[1] = 1.0 / 12.0;
        if (rct_model_add_body(model.get(), &rod, nullptr, &error) != RCT_OK) {
            throw std::runtime_error(error.text);
        }
    }
    if (rct_model_check(model.get(), &error) != RCT_OK) {
        throw std::runtime_error(error.text);
    }
    return model;
}

} // namespace

int main()
{
    try {
        const model_handle model = two_rods();
        std::cout << "riccatree " << rct_version() << ": " << rct_model_body_count(model.get())
                  << " bodies\n";
    } catch (const std::exception &failure) {
        std::cerr << failure.what() << '\n';
        return 1;
    }
    return 0;
}
